import { arrival, utc } from '../clock.ts'
import type { DemoRecord } from '../types.ts'
import { orderBook } from './order-book.ts'

export function* orderRecords(): Iterable<DemoRecord> {
  for (const order of orderBook()) {
    const data = {
      id: order.id,
      merchant: order.merchant,
      ordered_at: utc(order.at),
      total_cents: order.total,
      currency: 'EUR',
      status: order.status,
      category: order.category,
    }
    yield { connection_id: 'purchases', stream: 'orders', key: order.id, data, emitted_at: arrival(order.at) }
  }
}

export function* itemRecords(): Iterable<DemoRecord> {
  for (const order of orderBook()) {
    for (const [index, item] of order.lines.entries()) {
      const line = index + 1
      const data = {
        order_id: order.id,
        line,
        title: item.title,
        quantity: item.quantity,
        price_cents: item.cents,
        ordered_at: utc(order.at),
      }
      const key = [order.id, String(line)]
      yield { connection_id: 'purchases', stream: 'items', key, data, emitted_at: arrival(order.at) }
    }
  }
}

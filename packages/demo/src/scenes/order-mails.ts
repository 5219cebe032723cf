const returned =
  '[Your return for {number} has arrived, {total} are on their way back.|We have received what you sent back from {number}. No hard feelings. {total} refunded.|{number}: returned, checked, refunded ({total}). Thank you for folding it so well.]'

const byCategory: Record<string, string> = {
  groceries:
    '[{number} is packed. The crate stands at your door from {n:7-11}:00.|Your bag {number} is on the shelf behind the till.|{number}: ready. Today we added a gull sticker, it is not edible.|Delivered: {number}, {n:2-9} minutes early, the driver is proud.]',
  'food delivery':
    '[Your food left us at {n:18-21}:{n2:10-55}. Ring bell twice, we know.|{number} is on the bicycle. It is a fast bicycle.|Delivered, {number}. Enjoy it while it is hot.]',
  travel:
    '[Your tickets for {number} are attached. Please be there {n:10-20} minutes early.|{number}: all set. The crossing may be lively.|Good journey! {number} is valid on paper and on your telephone.]',
  leisure:
    '[Your tickets for {number} are at the box office.|{number}: row {n:3-14}, seat {n2:1-18}. Blankets are on the hook.]',
}

const parcel =
  '[Order {number} left us today.|{number} is on the van, between a lamp and a canoe.|Ready: {number}. You can collect it until seven.|Delivered: {number}. A neighbour signed with a drawing of a fish.|Your parcel {number} arrives tomorrow between {n:8-10} and {n2:11-13}.|We tried to deliver {number}. A cat looked at us through the window. We try again tomorrow.]'

/** The second mail about an order, in the style of the shop. */
export const followUp = (status: string, category: string): string =>
  status === 'returned' ? returned : (byCategory[category] ?? parcel)

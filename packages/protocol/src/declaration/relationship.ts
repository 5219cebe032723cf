import type { Relationship } from './declaration.ts'

/** True if the relation leads from a child to its single parent. */
export const isToParent = ({ cardinality }: Pick<Relationship, 'cardinality'>): boolean => cardinality === 'belongs_to'

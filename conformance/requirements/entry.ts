/** One thing the product was asked to do. A scenario is proved by a test that drives the real surface and cites its id. */
export interface Requirement {
  id: string
  kind: 'requirement' | 'scenario'
  title: string
  behaviour: string
}

export function requirement(id: string, title: string, behaviour: string): Requirement {
  return { id, kind: 'requirement', title, behaviour }
}

export function scenario(id: string, title: string, behaviour: string): Requirement {
  return { id, kind: 'scenario', title, behaviour }
}

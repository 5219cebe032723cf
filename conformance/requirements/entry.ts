/** One thing the product was asked to do. A scenario is proved by a test that drives the real surface and has its id in its title. */
export interface Requirement {
  id: string
  kind: 'requirement' | 'scenario'
  title: string
  behaviour: string
  /** Why it is not met yet, or not wholly. No test may claim an open scenario. */
  open?: string
}

interface State {
  state: 'open'
  reason: string
}

export function requirement(id: string, title: string, behaviour: string, state?: State): Requirement {
  return entry('requirement', id, title, behaviour, state)
}

export function scenario(id: string, title: string, behaviour: string, state?: State): Requirement {
  return entry('scenario', id, title, behaviour, state)
}

function entry(kind: Requirement['kind'], id: string, title: string, behaviour: string, state?: State): Requirement {
  return { id, kind, title, behaviour, ...(state ? { open: state.reason } : {}) }
}

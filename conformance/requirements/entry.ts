/** A requirement of the product, or a scenario of one. A test that uses the real surface and cites its id proves it. */
export interface Requirement {
  id: string
  kind: 'requirement' | 'scenario'
  title: string
  behaviour: string
  /** The reason why it is not met, or not completely. No test may cite an open scenario. */
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

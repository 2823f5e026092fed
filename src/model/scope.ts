/** Origin of a rule, by descending authority. `explicit` rules are named on the command line or by an embedder. */
export type Scope = 'managed' | 'explicit' | 'user' | 'project'

export const authority: Readonly<Record<Scope, number>> = { managed: 3, explicit: 2, user: 1, project: 0 }

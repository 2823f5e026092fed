/** Something that was looked at. `note`: nothing is wrong with it, but a person should know. */
export interface Finding {
  readonly about: 'node' | 'gate' | 'privacy' | 'rules' | 'failures' | 'agent' | 'client' | 'cost'
  readonly state: 'ok' | 'note' | 'notSafe'
  readonly what: string
  readonly remedy?: string
}

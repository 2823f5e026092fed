import type { AnswerOf } from '../../../api.ts'

export type RulesAnswer = AnswerOf<'rules'>
export type ShownRule = RulesAnswer['rules'][number]
export type PackAnswer = AnswerOf<'packs'>['packs'][number]
export type PresetAnswer = AnswerOf<'packs'>['presets'][number]

/** The id of the person's own rules file, which is the one that this page changes. */
export const ownSource = 'user:hooks.json'

/** The rules of one source: those of packs by the pack's folder, and the others. */
export interface SourceRules {
  readonly source: ShownRule['source']
  readonly packs: ReadonlyMap<string, readonly ShownRule[]>
  readonly others: readonly ShownRule[]
}

/** Groups rules by where they come from, in the order of their authority. */
export function bySource(rules: readonly ShownRule[]): readonly SourceRules[] {
  return [...Map.groupBy(rules, ({ source }) => source.id).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const inPacks = own.filter(({ pack }) => pack !== undefined)
    return {
      source: first.source,
      packs: Map.groupBy(inPacks, ({ pack }) => pack?.folder ?? ''),
      others: own.filter(({ pack }) => pack === undefined),
    }
  })
}

/**
 * Says where rules come from, and why they cannot be changed here, if they cannot.
 *
 * @param isManaged true where an administrator's file keeps the person from turning self-protection off
 */
export function titleOfSource(
  source: ShownRule['source'],
  isManaged = false,
): {
  readonly title: string
  readonly locked: string | undefined
  /** `undefined` for what is in no file of rules. */
  readonly file: string | undefined
} {
  const { id, file } = source
  if (id.startsWith('hookgate:')) {
    const locked = isManaged ? byAdministrator : '`"selfProtection": false` in your hooks.json turns it off.'
    return { title: 'Built in', locked, file: undefined }
  }
  return { ...titleOfFile(source), file }
}

const byAdministrator = 'Set by who manages this machine. Nobody else can change or except them.'

const bySigner = 'Fetched from who signs them. Only they, and who manages this machine, can change or except them.'

function titleOfFile({ id, scope, file, bundled }: ShownRule['source']) {
  if (id === ownSource) return { title: 'Your own rules', locked: undefined }
  switch (scope) {
    case 'managed':
      return bundled === true
        ? { title: 'Signed rules', locked: bySigner }
        : { title: 'Managed rules', locked: byAdministrator }
    case 'explicit':
      return { title: 'Rules of the command line', locked: 'Named where hookgate was started: change them there.' }
    case 'user':
      return { title: 'Hooks of your agents', locked: `Change them where the agent keeps them: ${file}.` }
    case 'project':
      return {
        title: 'Rules of this project',
        locked: 'They belong to everybody who works on the project: change them in its files.',
      }
  }
}

/** Returns whether a rule has a text in what is shown of it. */
export const isFound = (search: string, texts: readonly (string | null | undefined)[]): boolean =>
  search === '' || texts.some((text) => text?.toLowerCase().includes(search.toLowerCase()) === true)

/** Returns the name of a rule's row, for links to it. */
export const rowIdOf = (rule: string) => `rule-${rule}`

/** Formats what a rule did: "refused 3, asked 1". */
export function didText(did: ShownRule['did']): string {
  if (did === null) return 'nothing'
  const { refused, asked, observed, failed, answered } = did
  const parts = Object.entries({ refused, asked, observed, failed }).flatMap(([word, number]) =>
    number === 0 ? [] : [`${word} ${number}`],
  )
  return parts.length === 0 ? (answered === 0 ? 'nothing' : `answered ${answered}`) : parts.join(', ')
}

/** Returns which rules lose their say by a change; `undefined` if none does. */
export const endingBy = (
  to: 'on' | 'off' | 'observe' | 'enforce',
  rules: readonly string[],
): { readonly rules: readonly string[]; readonly how: 'stop' | 'observe' } | undefined =>
  to === 'off' ? { rules, how: 'stop' } : to === 'observe' ? { rules, how: 'observe' } : undefined

/** Adds up what rules did. */
export function didAllText(rules: readonly ShownRule[]): string {
  const none = { refused: 0, asked: 0, observed: 0, failed: 0, answered: 0 }
  const sum = (key: keyof typeof none) => rules.reduce((total, { did }) => total + (did?.[key] ?? 0), 0)
  return didText({
    refused: sum('refused'),
    asked: sum('asked'),
    observed: sum('observed'),
    failed: sum('failed'),
    answered: sum('answered'),
  })
}

/** The difference of one preset from another. */
export interface PresetDifference {
  /** Rules that only this one has, and that only the other has: `PACK/RULE`. */
  readonly more: readonly string[]
  readonly less: readonly string[]
  /** Params that are set otherwise: `PARAM of PACK`. */
  readonly params: readonly string[]
}

export function differenceOf(
  preset: PresetAnswer,
  other: PresetAnswer,
  packs: readonly PackAnswer[],
): PresetDifference {
  const [own, others] = [rulesOfPreset(preset, packs), rulesOfPreset(other, packs)]
  const paramOf = ({ packs: all }: PresetAnswer, pack: string, name: string) =>
    JSON.stringify(all.find((one) => one.pack === pack)?.params?.[name])
  const names = new Map(
    [...preset.packs, ...other.packs].flatMap(({ pack, params = {} }) =>
      Object.keys(params).map((name) => [`${name} of ${pack}`, { pack, name }] as const),
    ),
  )
  return {
    more: own.filter((rule) => !others.includes(rule)),
    less: others.filter((rule) => !own.includes(rule)),
    params: [...names].flatMap(([text, { pack, name }]) =>
      paramOf(preset, pack, name) === paramOf(other, pack, name) ? [] : [text],
    ),
  }
}

const rulesOfPreset = ({ packs: named }: PresetAnswer, packs: readonly PackAnswer[]): readonly string[] =>
  named.flatMap(({ pack, disable = [] }) =>
    (packs.find(({ name }) => name === pack)?.rules ?? []).flatMap(({ id }) =>
      disable.includes(id) || disable.includes('*') ? [] : [`${pack}/${id}`],
    ),
  )

/** A param of a pack, which all rules share that declare it. */
export interface PackParam {
  readonly name: string
  readonly declaration: PackAnswer['rules'][number]['params'][string]
  /** The value in force; the default where the pack is off. */
  readonly value: unknown
  readonly isChanged: boolean
}

export function paramsOfPack(pack: PackAnswer, rules: readonly ShownRule[]): readonly PackParam[] {
  const declared = new Map(pack.rules.flatMap(({ params }) => Object.entries(params)))
  return [...declared].map(([name, declaration]) => {
    const holder = rules.find(({ params }) => params !== undefined && name in params)
    const value = holder?.params?.[name] ?? declaration.default
    return { name, declaration, value, isChanged: JSON.stringify(value) !== JSON.stringify(declaration.default) }
  })
}

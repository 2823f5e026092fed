import { counted } from '../../words/counted.ts'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { packFile, presetNames, shippedFolder, shippedPacks } from '../../files/policy-files.ts'
import { userSource } from '../../changes/user-rules-file.ts'
import {
  inOrder,
  packReport,
  presetReport,
  readPacks,
  ruleNamed,
  type TurnedOn,
  type TurnedOnLookup,
  worstOf,
} from '../../changes/packs/report.ts'
import type { ParamDeclaration, PolicyDefinition } from '../../model/policy.ts'
import { printable, quoted } from '../../model/text.ts'
import { type DescribedPack, shippedPreset } from '../../rules/index.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { changeAgreed } from '../consent.ts'
import { parseFlags, installContextFor } from '../args/flags.ts'
import { changePacks, type PacksChange } from '../../changes/packs/change-packs.ts'
import type { PackChange } from '../../changes/packs/pack-change.ts'
import { HookgateError } from '../../model/errors.ts'
import { Json, type JsonObject } from '../../model/json.ts'

export const packsCommand: Command = {
  help: `hookgate packs: the presets and packs that come with hookgate

  hookgate packs [NAME | PACK/RULE] [--json]
  hookgate packs PRESET [--on | --off] [--observe | --enforce] [--dry-run] [--json]
  hookgate packs PACK [--on | --off] [--observe | --enforce] [--param NAME=JSON]… [--unset NAME]… [--dry-run]
  hookgate packs PACK/RULE --on | --off [--dry-run] [--json]

Lists the presets and the packs: what each one prevents, how many rules it has, and whether it is on in the current
folder: on, observe or off, and by which file. With NAME, shows one: the packs of a preset, or the rules and params of a
pack, which may also be a folder of your own with a pack.json; with PACK/RULE, one rule of a pack. Presets and packs
are turned on in .hookgate/hooks.json of a project, or in hooks.json in ~/.config/hookgate, and are off until listed
there:

  {"preset": "recommended", "packs": [{"pack": "git-safety", "params": {…}, "disable": ["RULE"]}]}

With these, your own hooks.json in ~/.config/hookgate is changed, in its layout and if it loads then. A copy is kept:

  --on, --off               turn it on or off; one preset can be on, and \`--on\` replaces it by another. A pack of the
                            preset is turned off with \`"disable": ["*"]\`, and keeps its settings
  --observe, --enforce      only report what it would say, or let that count: for a pack, or for a preset and its file
  --param NAME=JSON         set a param of a pack; what is not JSON is a text. Repeatable
  --unset NAME              leave a param to the preset or its default. Repeatable
  --dry-run                 show what would change, and change nothing
  --yes                     do it without asking: at a terminal, the change is shown first

  --json                    the same, as one JSON object: presets, and packs with their rules; \`inForce\` lists what
                            turns each of them on here: source, file and mode, \`enforce\` or \`observe\`. The rules of
                            one pack come with their \`examples\`: what is given, and what is decided. Of a change:
                            whether something was \`changed\`, \`files\` with their \`diff\`, \`copies\`, \`notes\`

  hookgate packs git-safety
  hookgate packs git-safety --param 'protectedBranches={"add": ["staging"]}'
`,
  async run(invocation) {
    const { argv, env, cwd } = invocation
    const { values, positionals } = parseFlags('packs', argv, flagTypes, true)
    const [name, ...others] = positionals
    if (others.length > 0) throw usage(manyNames(positionals), 'packs')
    if (changing.some((flag) => values[flag] !== undefined)) {
      if (name === undefined) throw usage('it needs the name of what is to be changed', 'packs')
      return changeByFlags(name, values, invocation)
    }
    // Without a name, the list has no room for examples.
    const withExamples = name !== undefined && values.json === true
    const target = name === undefined ? undefined : splitTarget(name, cwd)
    const { presets, packs, inForce, wrong } = await readPacks(target?.pack, { env, cwd }, withExamples)
    const [preset] = presets
    const isPreset = name !== undefined && preset !== undefined
    const [only] = target === undefined ? [] : packs
    const rule = only && target?.rule !== undefined ? ruleNamed(target.pack, target.rule, only.rules) : undefined
    if (values.json === true) {
      const shown = only === undefined || rule === undefined ? packs : [{ ...only, rules: [rule] }]
      const report = {
        ...(presets.length > 0 && { presets: presets.map((one) => presetReport(one, inForce)) }),
        ...(!isPreset && { packs: shown.map((one) => packJson(one, inForce, withExamples)) }),
      }
      return printed(jsonText(report, 2))
    }
    const unread = unreadText(wrong)
    if (isPreset) return printed(unread + presetText(preset, inForce))
    if (target === undefined || only === undefined) return printed(unread + listText(packs, inForce))
    const text = rule === undefined ? packText(only, target.pack, inForce) : ruleText(only, target.pack, rule, inForce)
    return printed(unread + text)
  },
}

/** Says why what is shown as off may be on. */
function unreadText([first, ...more]: readonly string[]): string {
  if (first === undefined) return ''
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'more mistake')}: see \`hookgate check\`)`
  return (
    printable(
      `until this is fixed, every call is refused, unless the gate still has older rules; what is off below may be on: ${first}${others}`,
    ) + '\n\n'
  )
}

/** Names the option that a word before or after the name of a pack means. */
function manyNames(words: readonly string[]): string {
  const option = words.map((word) => optionMeant.get(word)).find((one) => one !== undefined)
  const name = words.find((word) => !optionMeant.has(word))
  if (option === undefined || name === undefined) return 'packs takes one name'
  return `type \`hookgate packs ${printable(name)} ${option}\``
}

const optionMeant: ReadonlyMap<string, string> = new Map([
  ['on', '--on'],
  ['enable', '--on'],
  ['add', '--on'],
  ['off', '--off'],
  ['disable', '--off'],
  ['remove', '--off'],
  ['observe', '--observe'],
  ['enforce', '--enforce'],
])

/** Flags that change the user's own rules file, or would. */
const changing = ['on', 'off', 'observe', 'enforce', 'param', 'unset', 'dry-run'] as const

const flagTypes = {
  on: { type: 'boolean' },
  off: { type: 'boolean' },
  observe: { type: 'boolean' },
  enforce: { type: 'boolean' },
  param: { type: 'string', multiple: true },
  unset: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** Returns the report of a pack, with the examples of its rules if they were read. */
function packJson(pack: DescribedPack, inForce: TurnedOnLookup, withExamples: boolean): object {
  const report = packReport(pack, inForce)
  if (!withExamples) return report
  const rules = report.rules.map((rule, index) => ({ ...rule, examples: inOrder(pack.rules)[index]?.examples }))
  return { ...report, rules }
}

/** Formats one preset: its packs, with what it changes in each. */
function presetText(name: string, inForce: TurnedOnLookup): string {
  const { description, mode, refuses, packs, limits = {} } = shippedPreset(name)
  const loops = Object.entries(limits)
  const lines = [
    `${name}   ${markOf(inForce.preset(name))}`,
    ...wrapped(description, 0),
    '',
    mode === 'observe' ? 'packs, which only observe' : 'packs',
    ...packs.flatMap(({ pack, disable = [], params = {} }) => {
      const without = disable.length === 0 ? [] : wrapped(`without ${disable.join(', ')}`, 6)
      const given = Object.entries(params).flatMap(([param, value]) => wrapped(`${param}: ${JSON.stringify(value)}`, 6))
      const mark = markOf(inForce.pack({ folder: join(shippedFolder, pack) }))
      return [`  ${pack}   ${mark}`].concat(without, given)
    }),
    ...(loops.length === 0 ? [] : ['', mode === 'observe' ? 'limits, which only observe' : 'limits']),
    ...loops.map(([limit, value]) => `  ${limit}: ${JSON.stringify(value)}`),
    '',
    mode === 'observe' ? 'reports, for example' : 'refuses, for example',
    ...refuses.map((command) => `  ${command}`),
    '',
    ...turnLines(name, inForce.preset(name), { preset: name }),
    'An entry of the same pack in the list `packs` of the file changes the one of the preset, and so does one of the same',
    'name in its `limits`.',
  ]
  return `${lines.join('\n')}\n`
}

/** Says what can be done with a preset or a pack: turn it on, or change what is on. @param entry what turns it on */
function turnLines(name: string, uses: readonly TurnedOn[], entry: object): readonly string[] {
  const change = (flag: string) => `\`hookgate packs ${name} --${flag}\``
  const own = uses.filter(({ source }) => source === userSource)
  const [other] = uses
  if (other === undefined) {
    const places = `${change('on')}, or in .hookgate/hooks.json of a project`
    return [`Turn it on with ${places}:`, '', `  ${JSON.stringify(entry)}`, '']
  }
  if (own.length === 0) return [`It is on by ${other.file}: change it there.`]
  if (stateOf(own) === 'on') return [`${change('off')} turns it off; with ${change('observe')} it only reports.`]
  const isAlways = presetNames().includes(name) && shippedPreset(name).mode === 'observe'
  const enforcing = isAlways ? '`hookgate packs strict --on` refuses' : `with ${change('enforce')} it refuses`
  return [`${change('off')} turns it off; ${enforcing} what it reports.`]
}

/** Formats all presets and packs, a few lines each, for people. */
function listText(packs: readonly DescribedPack[], inForce: TurnedOnLookup): string {
  const presets = presetNames().map((name) => {
    const { description, packs: own } = shippedPreset(name)
    return [`${name}   a preset of ${counted(own.length, 'pack')}, ${markOf(inForce.preset(name))}`].concat(
      wrapped(description, 4),
    )
  })
  const blocks = packs.map((pack) => {
    const { name, description, rules } = pack
    const severity = worstOf(pack)
    const upTo = severity === undefined ? '' : `, up to ${severity}`
    const on = rules.filter(({ id }) => inForce.rule(pack, id).length > 0).length
    const some = on > 0 && on < rules.length ? `${on} of them ` : ''
    const head = `${name}   ${counted(rules.length, 'rule')}${upTo}`
    return [`${head}, ${some}${markOf(inForce.pack(pack))}`, ...wrapped(description, 4)]
  })
  return `${[...[...presets, ...blocks].map((lines) => lines.join('\n')), '`hookgate packs NAME` shows one of them.'].join('\n\n')}\n`
}

/** Formats one pack in full. @param spelled its name as used to enable it */
function packText(pack: DescribedPack, spelled: string, inForce: TurnedOnLookup): string {
  const { name, description, folder, rules } = pack
  const some = paramsOf(rules)
    .slice(0, 1)
    .map(([param, { declaration }]) => [param, declaration.default] as const)
  const example = { pack: spelled, ...(some.length > 0 && { params: Object.fromEntries(some) }) }
  const [rule] = inOrder(rules)
  const readme = join(folder, 'README.md')
  const lines = [
    `${name}   ${markOf(inForce.pack(pack))}`,
    ...wrapped(description, 0),
    '',
    'rules',
    ...inOrder(rules).flatMap((one) => ruleLines(one, stateOf(inForce.rule(pack, one.id)))),
    ...paramsLines(pack, inForce),
    '',
    ...turnLines(spelled, inForce.pack(pack), { packs: [example] }),
    ...(rule === undefined ? [] : [`\`"disable": ["${rule.id}"]\` next to \`pack\` turns a rule off.`]),
    ...(existsSync(readme) ? [`${readme} says what the pack does not catch.`] : []),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

/** Formats one rule of a pack in full. @param spelled the name of its pack, as used to turn it on */
function ruleText(pack: DescribedPack, spelled: string, rule: PolicyDefinition, inForce: TurnedOnLookup): string {
  const { id, severity, description } = rule
  const name = `${spelled}/${id}`
  const uses = inForce.rule(pack, id)
  const lines = [
    `${name}   ${severity === undefined ? '' : `${severity}, `}${markOf(uses)}`,
    ...wrapped(description, 0),
    ...paramsLines(pack, inForce, id),
    '',
    ...ruleTurnLines(spelled, name, uses, inForce.pack(pack)),
    `\`hookgate packs ${spelled}\` shows the whole pack.`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}

/** Says how a rule is turned on or off. */
function ruleTurnLines(
  pack: string,
  name: string,
  uses: readonly TurnedOn[],
  ofPack: readonly TurnedOn[],
): readonly string[] {
  const [other] = uses
  if (other !== undefined) {
    return uses.some(({ source }) => source === userSource)
      ? [`\`hookgate packs ${name} --off\` turns it off.`]
      : [`It is on by ${other.file}: change it there.`]
  }
  if (ofPack.length === 0) return [`Its pack is off: \`hookgate packs ${pack} --on\` turns that on.`]
  return [`\`hookgate packs ${name} --on\` turns it on.`]
}

function ruleLines({ id, severity, description }: PolicyDefinition, state: string): readonly string[] {
  return [`  ${state.padEnd(8)} ${(severity ?? '').padEnd(9)} ${id}`].concat(wrapped(description, 21))
}

interface SharedParam {
  readonly declaration: ParamDeclaration
  /** The ids of the rules that have it. */
  readonly rules: readonly string[]
}

/** Groups the params of a pack: one param applies to all rules that declare it. */
function paramsOf(rules: readonly PolicyDefinition[]): readonly (readonly [string, SharedParam])[] {
  const all = rules.flatMap(({ id, params }) =>
    Object.entries(params).map(([name, declaration]) => ({ id, name, declaration })),
  )
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, [first, ...more]]) =>
    first === undefined
      ? []
      : [[name, { declaration: first.declaration, rules: [first, ...more].map(({ id }) => id) }] as const],
  )
}

/** @param rule shows the params of this rule only */
function paramsLines(pack: DescribedPack, inForce: TurnedOnLookup, rule?: string): readonly string[] {
  const params = paramsOf(pack.rules).filter(([, { rules }]) => rule === undefined || rules.includes(rule))
  const lines = params.flatMap(([name, param]) => paramLines(name, param, setLines(name, param, pack, inForce)))
  return params.length === 0 ? [] : ['', 'params', ...lines]
}

/** Says what a param is set to, once for each source that sets it. */
function setLines(name: string, { rules }: SharedParam, pack: DescribedPack, inForce: TurnedOnLookup) {
  const set = rules.flatMap((rule) => inForce.param(pack, rule, name))
  return [...new Set(set.map(({ source, value }) => `set to ${JSON.stringify(value)} (${source})`))]
}

function paramLines(name: string, { declaration, rules }: SharedParam, set: readonly string[]): readonly string[] {
  const { type, description } = declaration
  const choices =
    declaration.type === 'string' && declaration.oneOf !== undefined ? declaration.oneOf.join(' | ') : type
  const usual = JSON.stringify(declaration.default)
  return [
    `  ${name}: ${choices}`,
    ...(description === undefined ? [] : wrapped(description, 12)),
    ...[`default: ${usual}`, ...set].flatMap((line) => wrapped(line, 12)),
    ...wrapped(`for ${rules.join(', ')}`, 12),
  ]
}

/** One word for whether something is on: `on`, `observe` or `off`. */
function stateOf(uses: readonly TurnedOn[]): 'on' | 'observe' | 'off' {
  if (uses.length === 0) return 'off'
  return uses.every(({ mode }) => mode === 'observe') ? 'observe' : 'on'
}

/** Formats whether something is on, and by which sources: `on (user:hooks.json)`. */
function markOf(uses: readonly TurnedOn[]): string {
  const from = uses.map(({ source }) => source).join(', ')
  return uses.length === 0 ? 'off' : printable(`${stateOf(uses)} (${from})`)
}

/** Wraps a text to a terminal's width. */
function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > widthMax) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one)
}
const widthMax = 100

/** The flags of `hookgate packs` that change something, as they were given. */
interface PacksValues {
  readonly on?: boolean
  readonly off?: boolean
  readonly observe?: boolean
  readonly enforce?: boolean
  readonly param?: readonly string[]
  readonly unset?: readonly string[]
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** Changes what the user's own rules file says of a preset, a pack or one rule. @throws HookgateError */
export async function changeByFlags(name: string, values: PacksValues, invocation: Invocation): Promise<CommandOutput> {
  const change = changeOf(name, packChangeIn(values), invocation.cwd)
  const make = (isDry: boolean) => changePacks(change, installContextFor(invocation), isDry)
  return changeAgreed(
    make,
    { isDry: values['dry-run'] === true, asJson: values.json === true, yes: values.yes },
    invocation,
  )
}

/** Returns what the flags change. @throws HookgateError `usage` if flags exclude each other, or change nothing */
function packChangeIn(values: PacksValues): PackChange {
  const turn = oneOf(values, ['on', 'off'])
  const mode = oneOf(values, ['observe', 'enforce'])
  const { param = [], unset = [] } = values
  const isMore = mode !== undefined || param.length > 0 || unset.length > 0
  if (turn === 'off' && isMore) throw usage('--off stands alone', 'packs')
  if (turn === undefined && !isMore) throw usage('--dry-run needs to know what would be changed', 'packs')
  return { turn, mode, params: readParams(param), unset }
}

/** Returns the flag that is given; `undefined` for none. @throws HookgateError `usage` for several */
function oneOf<const Flag extends 'on' | 'off' | 'observe' | 'enforce'>(
  values: PacksValues,
  flags: readonly Flag[],
): Flag | undefined {
  const [flag, ...more] = flags.filter((one) => values[one] === true)
  if (more.length === 0) return flag
  throw usage(`${flags.map((one) => `--${one}`).join(' and ')} exclude each other`, 'packs')
}

/** Returns the change of what the name stands for. @throws HookgateError `usage` if a preset or a rule has no such thing */
function changeOf(name: string, change: PackChange, cwd: string): PacksChange {
  const { turn, mode, params, unset } = change
  const changesParams = Object.keys(params).length > 0 || unset.length > 0
  if (presetNames().includes(name)) {
    if (!changesParams) return { kind: 'preset', preset: name, turn, mode }
    const remedy = `\`hookgate packs ${name}\` lists its packs`
    throw new HookgateError('usage', `${quoted(name)} is a preset: params are those of its packs`, { remedy })
  }
  const { pack, rule } = splitTarget(name, cwd)
  if (rule === undefined) return { kind: 'pack', pack, ...change }
  if (turn !== undefined && mode === undefined && !changesParams) return { kind: 'rule', pack, rule, turn }
  const remedy = `\`hookgate packs ${pack}\` with these flags is about all of its rules`
  throw new HookgateError('usage', 'one rule of a pack has no mode and no params of its own', { remedy })
}

/** Splits `PACK/RULE`. A pack may be the path of a folder. */
function splitTarget(name: string, cwd: string): { readonly pack: string; readonly rule: string | undefined } {
  const isPack = (folder: string) => existsSync(join(resolve(cwd, folder), packFile))
  const above = dirname(name)
  const isRule = name.includes('/') && (shippedPacks().includes(above) || (!isPack(name) && isPack(above)))
  return isRule ? { pack: above, rule: basename(name) } : { pack: name, rule: undefined }
}

/** Reads `NAME=JSON`; a value that is no JSON is a text. @throws HookgateError `usage` */
function readParams(texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw usage(`--param must be NAME=JSON, not ${quoted(text)}`, 'packs')
      return [name, jsonOrText(value)]
    }),
  )
}

function jsonOrText(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch {
    return text
  }
}

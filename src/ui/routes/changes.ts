import { randomUUID } from 'node:crypto'
import { dirname, isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import { parseDay } from '../../changes/allow.ts'
import { byHand, isKept, makeChange, oppositeOf, type SettingsChange, wordsOf } from '../../changes/change.ts'
import { knownHome } from '../../files/home-folder.ts'
import { isSamePresent } from '../../install/files/change.ts'
import { lookAt, makeFolder, type Present, removeFile, restoreSettings } from '../../install/files/settings-file.ts'
import { HookgateError } from '../../model/errors.ts'
import type { FileChanges } from '../../model/file-changes.ts'
import { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { placesFor, userRulesFile } from '../../rules/places.ts'
import { answering, OfProject, type PageContext } from '../route.ts'

const Id = z.strictObject({ id: z.string() })

/** Changes that the page makes: each is shown first, then made, and can be undone. */
export function changeRoutes(context: PageContext) {
  const changes = openChanges(context)
  return {
    /** `project` is the folder that it is about. */
    proposeChange: answering(OfProject.extend({ change: PageChange }), ({ change, project }) =>
      changes.propose(changeOf(change), project),
    ),
    makeChange: answering(Id, ({ id }) => changes.carryOut(id)),
    undoChange: answering(Id, async ({ id }) => {
      await changes.undo(id)
      return { undone: id }
    }),
    madeChanges: answering(z.strictObject({}), () => ({ made: changes.list() })),
  }
}

/**
 * A text that a command line takes as a word of its own, since a person may type what the page shows.
 *
 * INVARIANT: it cannot be read as a flag.
 */
const Name = z
  .string()
  .min(1)
  .max(limits.pageWordCharactersMax)
  .regex(/^[^-\p{Cc}][^\p{Cc}]*$/u, { error: 'must not begin with `-`, nor have control characters' })

/** A text behind the `=` of a flag. */
const Value = z
  .string()
  .min(1)
  .max(limits.pageWordCharactersMax)
  .regex(/^\P{Cc}*$/u, { error: 'must not have control characters' })

const Folder = Name.refine((path) => isAbsolute(path), { error: 'must be absolute' })
const PresetName = Name.regex(/^[a-z][a-z0-9-]*$/, { error: 'must look like `recommended`' })
const RuleName = Name.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must look like `force-push`' })
const ParamName = Name.regex(/^[^=]+$/, { error: 'must not have a `=`' })
const AllowedId = Name.regex(/^[a-z0-9]+$/, { error: 'must look like `k3x7qd`' })
const Reason = Value.optional()
const Turn = z.enum(['on', 'off'])
const Setting = z.enum(['on', 'off', 'observe', 'enforce'])

/** A change that the page asks for. */
export const PageChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preset'), preset: PresetName, to: Setting }),
  /** `pack` is the name of a shipped one, or a folder. */
  z.strictObject({ kind: z.literal('pack'), pack: Name, to: Setting }),
  z.strictObject({ kind: z.literal('rule'), pack: Name, rule: RuleName, to: Turn }),
  z.strictObject({ kind: z.literal('param'), pack: Name, param: ParamName, value: Json }),
  z.strictObject({ kind: z.literal('unsetParam'), pack: Name, param: ParamName }),
  z.strictObject({
    kind: z.literal('allow'),
    id: AllowedId,
    extent: z.enum(['once', 'session', 'always']),
    reason: Reason,
  }),
  z.strictObject({ kind: z.literal('allowUntil'), id: AllowedId, day: z.iso.date(), reason: Reason }),
  z.strictObject({ kind: z.literal('removeException'), key: AllowedId }),
  z.strictObject({ kind: z.literal('approvals'), to: Turn }),
  z.strictObject({ kind: z.literal('trust'), folder: Folder }),
  z.strictObject({ kind: z.literal('revokeTrust'), folder: Folder }),
  z.strictObject({
    kind: z.literal('enable'),
    agent: z.enum(agentNames),
    preset: PresetName.optional(),
    via: z.enum(['http', 'command']).optional(),
  }),
  z.strictObject({ kind: z.literal('disable'), agent: z.enum(agentNames) }),
])
export type PageChange = Readonly<z.infer<typeof PageChange>>

/** Returns the change that the page asks for, as every part of hookgate makes it. @throws HookgateError if its day is over */
export function changeOf(asked: PageChange): SettingsChange {
  switch (asked.kind) {
    case 'preset':
      return { kind: 'preset', preset: asked.preset, ...turnOf(asked.to) }
    case 'pack':
      return { kind: 'pack', pack: asked.pack, ...turnOf(asked.to), params: {}, unset: [] }
    case 'param': {
      const { pack, param, value } = asked
      return { kind: 'pack', pack, ...unturned, params: { [param]: value }, unset: [] }
    }
    case 'unsetParam':
      return { kind: 'pack', pack: asked.pack, ...unturned, params: {}, unset: [asked.param] }
    case 'rule':
      return { kind: 'rule', pack: asked.pack, rule: asked.rule, turn: asked.to }
    case 'allow':
      return { kind: 'allow', id: asked.id, extent: { kind: asked.extent }, reason: asked.reason }
    case 'allowUntil':
      return { kind: 'allow', id: asked.id, extent: { kind: 'until', day: parseDay(asked.day) }, reason: asked.reason }
    case 'enable':
      return { kind: 'enable', agent: asked.agent, preset: asked.preset, via: asked.via }
    case 'removeException':
    case 'approvals':
    case 'trust':
    case 'revokeTrust':
    case 'disable':
      return asked
  }
}

const unturned = { turn: undefined, mode: undefined }
const turnOf = (to: z.infer<typeof Setting>) =>
  to === 'on' || to === 'off' ? { turn: to, mode: undefined } : { turn: undefined, mode: to }

/** Changes of one run that the page can take back, and those that it has shown and not made: their files are kept. */
const pageChangesMax = 50

/** A change as it is shown before it is made. */
export interface Proposal {
  /** Names it for `carryOut`. */
  readonly id: string
  /** The command that makes it. */
  readonly byHand: string
  readonly files: FileChanges['files']
  readonly notes: readonly string[]
  /** Set if it is so already. */
  readonly isNothing: boolean
}

/** A change that was made, and can be taken back. */
export interface MadeChange {
  readonly id: string
  readonly byHand: string
  /** ms since the epoch. */
  readonly atMs: number
  readonly files: readonly string[]
  readonly notes: readonly string[]
}

/** Makes the changes that a person wants, one at a time, and takes them back. */
interface Changes {
  /** Says what a change would do, and does nothing. @throws HookgateError if the command refuses */
  propose(change: SettingsChange, project: string): Promise<Proposal>
  /** Makes a change that was proposed. @throws HookgateError if a file of it is not as it was shown */
  carryOut(id: string): Promise<MadeChange>
  /** Takes a change back. @throws HookgateError if a file of it is not as the change left it */
  undo(id: string): Promise<void>
  /** The changes of this run that can be taken back, the newest first. */
  list(): readonly MadeChange[]
}

/** A file, as it was at some moment. */
interface SeenFile {
  readonly file: string
  readonly present: Present | undefined
}

interface Proposed {
  readonly change: SettingsChange
  readonly project: string
  /** The files that it changes, as they were when it was shown. */
  readonly before: readonly SeenFile[]
  /** The changes in these files, as they were shown. */
  readonly files: FileChanges['files']
}

interface Made extends MadeChange {
  readonly change: SettingsChange
  readonly project: string
  readonly written: readonly { readonly before: SeenFile; readonly after: SeenFile }[]
}

export function openChanges({ installingIn, env }: Pick<PageContext, 'installingIn' | 'env'>): Changes {
  const proposals = new Map<string, Proposed>()
  let made: readonly Made[] = []
  let isBusy = false

  async function alone<T>(act: () => Promise<T>): Promise<T> {
    if (isBusy) {
      const remedy = 'wait until it is made, and try again'
      throw new HookgateError('unavailable', 'another change is being made', { remedy })
    }
    isBusy = true
    try {
      return await act()
    } finally {
      isBusy = false
    }
  }

  return {
    async propose(change, project) {
      const { files, notes } = await makeChange(change, installingIn(project), true)
      checkFiles(change, files, env)
      const id = randomUUID()
      proposals.set(id, { change, project, files, before: files.map(({ file }) => seen(file)) })
      for (const old of [...proposals.keys()].slice(0, -pageChangesMax)) proposals.delete(old)
      return { id, byHand: byHand(wordsOf(change)), files, notes, isNothing: files.length === 0 && !isGrant(change) }
    },

    carryOut: (id) =>
      alone(async () => {
        const proposed = proposals.get(id)
        if (proposed === undefined) throw new HookgateError('usage', 'this change was made already', lookAgain)
        const { change, project, before, files: asShown } = proposed
        for (const { file, present } of before) {
          if (isSamePresent(seen(file).present, present)) continue
          throw new HookgateError('settingsUnwritable', 'the file changed meanwhile', { ...lookAgain, place: { file } })
        }
        // Trust covers more files than the one that records it, and an agent may write them meanwhile.
        const context = installingIn(project)
        const asItIs = await makeChange(change, context, true)
        if (!isSameChange(asItIs.files, asShown)) throw changedMeanwhile()
        // The person has seen the change in the page, and pressed the button there.
        const { files, notes } = await makeChange(change, context, false)
        if (oppositeOf(change) === undefined && !isSameChange(files, asShown)) {
          for (const old of before) restore(old)
          throw changedMeanwhile()
        }
        proposals.delete(id)
        const one: Made = {
          id,
          byHand: byHand(wordsOf(change)),
          atMs: Date.now(),
          files: files.map(({ file }) => file),
          notes,
          change,
          project,
          written: before.map((old) => ({ before: old, after: seen(old.file) })),
        }
        made = [one, ...made].slice(0, pageChangesMax)
        return shown(one)
      }),

    undo: (id) =>
      alone(async () => {
        const one = made.find((other) => other.id === id)
        if (one === undefined) throw new HookgateError('usage', 'this change was taken back already', lookAgain)
        const opposite = oppositeOf(one.change)
        const own = one.written.filter(({ before }) => opposite === undefined || isOwn(before.file, env))
        for (const { after } of own) checkLeft(after)
        if (opposite !== undefined) await makeChange(opposite, installingIn(one.project), false)
        for (const { before } of own) restore(before)
        made = made.filter((other) => other.id !== id)
      }),

    list: () => made.map(shown),
  }
}

const lookAgain = { remedy: 'look at it again' }

/** Compares what is changed, but for the moment of it, which some files name. */
const isSameChange = (a: FileChanges['files'], b: FileChanges['files']) =>
  isDeepStrictEqual(a.map(withoutMoment), b.map(withoutMoment))
const withoutMoment = ({ file, diff }: FileChanges['files'][number]) => ({
  file,
  diff: diff.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''),
})

const changedMeanwhile = () =>
  new HookgateError('settingsUnwritable', 'what it is about has changed meanwhile: nothing was changed', lookAgain)

const shown = ({ id, byHand: line, atMs, files, notes }: Made): MadeChange => ({ id, byHand: line, atMs, files, notes })

/** A permission of a single call or session is kept beside the refusals, and in no file that a person reads. */
const isGrant = (change: SettingsChange) => change.kind === 'allow' && isKept(change.extent)

const seen = (file: string): SeenFile => ({ file, present: lookAt(file, undefined).present })

function checkLeft({ file, present }: SeenFile): void {
  if (isSamePresent(seen(file).present, present)) return
  throw new HookgateError('settingsUnwritable', 'the file was changed since: nothing was taken back', {
    place: { file },
    remedy: 'undo later changes of it first, or edit it by hand',
  })
}

function restore({ file, present }: SeenFile): void {
  const { real, present: now } = lookAt(file, undefined)
  if (isSamePresent(now, present)) return
  if (present === undefined) return removeFile(real)
  makeFolder(dirname(real), 0o700)
  restoreSettings(real, present.bytes, present.mode, now)
}

type Env = PageContext['env']

function ownFiles(env: Env): readonly string[] {
  const places = placesFor({ env, home: knownHome(env['HOME']) })
  return [userRulesFile(places), places.trustFile]
}

const isOwn = (file: string, env: Env) => ownFiles(env).includes(file)

/** INVARIANT: but for an agent's settings, which its command names, the page changes only the user's own two files. */
function checkFiles({ kind }: SettingsChange, files: FileChanges['files'], env: Env): void {
  const other = files.find(({ file }) => !isOwn(file, env))
  if (other === undefined || kind === 'enable' || kind === 'disable') return
  throw new HookgateError('usage', 'it is not a file of your own that this page changes', {
    place: { file: other.file },
    remedy: 'change it by hand',
  })
}

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openToolFacts } from '../../facts/tool-call.ts'
import { isShipped, packFile } from '../../files/policy-files.ts'
import { knownHome } from '../../files/home-folder.ts'
import { realPath } from '../../files/real-path.ts'
import { RuleMode, Severity } from '../../model/effect.ts'
import { HookgateError, placeText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { ParamDeclaration } from '../../model/policy.ts'
import type { Handler, Rule } from '../../model/rule.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import { placesFor, userRulesFile } from '../../rules/places.ts'
import { readRules } from '../../rules/read-rules.ts'
import { programShown } from '../../service/server/http/status-routes.ts'
import { askCommand } from '../command-lines.ts'
import type { PageContext } from '../page-context.ts'
import { Folder, OfProject } from '../asked.ts'
import { answering } from '../route.ts'
import { exampleShown, PrintedExample } from '../shown-example.ts'

const TurnedOnBy = z.array(z.object({ source: z.string(), file: z.string(), mode: RuleMode })).readonly()

/** The fields of `hookgate packs --json` that the page shows. */
const Packs = z.object({
  presets: z
    .array(
      z.object({
        name: z.string(),
        description: z.string(),
        mode: RuleMode.optional(),
        refuses: z.array(z.string()).readonly(),
        packs: z
          .array(
            z.object({
              pack: z.string(),
              params: z.record(z.string(), z.unknown()).optional(),
              disable: z.array(z.string()).optional(),
            }),
          )
          .readonly(),
        inForce: TurnedOnBy,
      }),
    )
    .default([]),
  packs: z.array(
    z.object({
      name: z.string(),
      shipped: z.boolean(),
      folder: z.string(),
      description: z.string(),
      severity: Severity.nullable(),
      inForce: TurnedOnBy,
      rules: z.array(
        z.object({
          id: z.string(),
          severity: Severity.nullable(),
          description: z.string(),
          params: z.record(z.string(), ParamDeclaration),
          inForce: TurnedOnBy,
        }),
      ),
    }),
  ),
})

/** The fields that `hookgate packs NAME --json` adds. */
const Exampled = z.object({
  packs: z.array(z.object({ rules: z.array(z.object({ id: z.string(), examples: z.array(PrintedExample) })) })),
})

const Exceptions = z.object({
  exceptions: z.array(
    z.object({
      key: z.string(),
      file: z.string(),
      line: z.number(),
      rule: z.string(),
      command: z.string().optional(),
      path: z.string().optional(),
      project: z.string().optional(),
      until: z.string().optional(),
      reason: z.string().optional(),
      over: z.boolean(),
    }),
  ),
  grants: z.array(
    z.looseObject({ kind: z.string(), id: z.string(), endsAt: z.string(), session: z.string().optional() }),
  ),
})

const Trusted = z.array(z.object({ root: z.string(), trustedAt: z.string(), files: z.array(z.string()) }))

const shownDays = 30

/** The rules in force in a project, the packs, and what is excepted and trusted. */
export const ruleRoutes = ({ run, env, record, places }: PageContext) => ({
  /** The rules, what each did in the last 30 days, and what keeps any from loading. */
  rules: answering(OfProject, async ({ project }) => {
    const read = await rulesIn(project, env, places.folder)
    const stats = record.look().reader?.figures({ startsMs: [Date.now() - shownDays * 86_400_000] })
    const { ruleSet, errors } = read
    return {
      days: shownDays,
      rules: ruleSet.rules.map((rule) => ({ ...ruleShown(rule), did: stats?.rules.get(rule.id) ?? null })),
      errors: errors.map(({ place, message, remedy }) => ({ place: placeText(place), message, remedy: remedy ?? '' })),
      notes: [...ruleSet.switchedOff, ...ruleSet.alarms],
      /** Packs that the person's own file names itself: those of a preset stay on without it. */
      ownPacks: packsNamedIn(userRulesFile(placesFor({ env, home: knownHome(env['HOME']) }))),
      projects: [...(stats?.projects.keys() ?? [])].filter((one) => one !== ''),
    }
  }),

  /** Calls that the rules have stopped in these days, each once, and that would pass without them. */
  stoppedCalls: answering(z.strictObject({ rules: z.array(z.string()) }), ({ rules }) => {
    const ending = new Set(rules)
    const { reader } = record.look()
    let refused = 0
    let asked = 0
    const filter = { sinceMs: Date.now() - shownDays * 86_400_000, outcomes: ['deny', 'ask', 'defer'] } as const
    for (const { record: row } of reader?.rows(filter) ?? []) {
      if (row.determining.length === 0 || !row.determining.every((id) => ending.has(id))) continue
      if ((row.told ?? row.decision) === 'deny') refused += 1
      else asked += 1
    }
    return { days: shownDays, refused, asked }
  }),

  /** The presets and packs that there are. */
  packs: answering(OfProject, ({ project }) => askCommand(run, Packs, ['packs'], { cwd: project })),

  exceptions: answering(OfProject, ({ project }) => askCommand(run, Exceptions, ['allow', '--list'], { cwd: project })),

  /** The pinned files of a project, if it is trusted. */
  trusted: answering(OfProject, async ({ project }) => {
    const all = await askCommand(run, Trusted, ['trust', '--list'], { cwd: project })
    // Projects are trusted by their real path, and worked on by any.
    const real = realPath(project)
    return { pins: all.find(({ root }) => root === real) ?? null }
  }),

  /** The examples of a pack's rules, which take longer than all the rest of the packs. @param pack a name or folder */
  packExamples: answering(OfProject.extend({ pack: z.string() }), async ({ pack, project }) => {
    if (pack.startsWith('-')) throw new HookgateError('usage', 'this is no pack')
    const { packs } = await askCommand(run, Exampled, ['packs', pack], { cwd: project })
    const rules = packs.flatMap((one) => one.rules)
    return { rules: rules.map(({ id, examples }) => ({ id, examples: examples.map(exampleShown) })) }
  }),

  /** The README of a pack. */
  packReadme: answering(z.strictObject({ folder: Folder }), ({ folder }) => {
    // Only what is a pack: the page reads no other files.
    const file = join(folder, 'README.md')
    if (!existsSync(join(folder, packFile))) throw new HookgateError('usage', 'this is no pack', { place: { file } })
    if (!existsSync(file)) return { text: '' }
    return { text: readFileSync(file, 'utf8').slice(0, limits.pageReadmeCharactersMax) }
  }),
})

/** Returns the packs that a rules file names; none if it cannot be read, which its own errors say. */
function packsNamedIn(file: string): readonly string[] {
  try {
    return NamedPacks.parse(JSON.parse(readFileSync(file, 'utf8'))).packs.map(({ pack }) => pack)
  } catch {
    return []
  }
}

const NamedPacks = z.object({ packs: z.array(z.object({ pack: z.string() })).default([]) })

async function rulesIn(project: string, env: PageContext['env'], stateFolder: string) {
  // Each thread loads every policy, and nothing is decided here.
  const sandbox = openSandbox('process', openToolFacts(), 1)
  try {
    const home = knownHome(env['HOME'])
    return await readRules(
      placesFor({ env, cwd: project, home, stateFolder }),
      [project],
      openPolicyLoader(sandbox, { proving: false }),
    )
  } finally {
    await sandbox.close()
  }
}

function ruleShown({ id, source, handler, mode, onFailure, untrustedReason, match }: Rule) {
  const { scope, file } = source
  return {
    id,
    source: { id: source.id, scope, file },
    mode,
    onFailure,
    /** Why the rule is not trusted, and what to do. */
    untrustedReason: untrustedReason ?? null,
    events: match.events,
    ...handlerShown(handler),
  }
}

type ParamValues = Readonly<Record<string, unknown>>

function handlerShown(handler: Handler): {
  readonly kind: 'hook' | 'policy' | 'built in'
  /** The program or the check. */
  readonly what: string
  /** Set for a rule of a pack. */
  readonly pack?: { readonly folder: string; readonly isShipped: boolean }
  /** The policy's own name. */
  readonly policy?: string
  readonly severity?: Severity | undefined
  readonly params?: ParamValues
} {
  switch (handler.kind) {
    case 'command':
      return { kind: 'hook', what: [programShown(handler.program)].flat().join(' ') }
    case 'builtin':
      return { kind: 'built in', what: builtInTexts[handler.builtin.kind] }
    case 'policy': {
      const { file, policy, severity, params } = handler
      const folder = dirname(file)
      const pack = existsSync(join(folder, packFile)) && { folder, isShipped: isShipped(file) }
      return { kind: 'policy', what: file, policy, severity, params, ...(pack && { pack }) }
    }
  }
}

const builtInTexts = {
  permissions: 'a list of permissions',
  unsupported: 'a hook that its agent runs itself',
  'stale-bundle': 'signed rules that are stale or missing',
  'self-protection': 'no call may change, reconfigure or end hookgate',
} as const

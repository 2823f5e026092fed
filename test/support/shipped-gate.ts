import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGate, type Verdict } from '../../src/library/index.ts'
import { claudeShell } from './wire.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))

/** Packs that allow, or whose answers hang on outputs and the calls before: tests judge calls one by one. */
const others = new Set(['read-only-allow', 'data-flow', 'output-secrets'])

/** Opens a gate with all shipped packs that deny or ask by a call alone, for a user with this home directory. */
export function openShippedGate(home: string) {
  const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
  const rules = packs.filter((name) => !others.has(name)).map((name) => join(policies, name))
  return judging(home, rules)
}

/** Opens a gate with the rules of a preset, as `hookgate enable` turns them on. @param env beside `HOME` */
export function openPresetGate(home: string, preset: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-preset-'))
  const file = join(folder, 'hooks.json')
  writeFileSync(file, JSON.stringify({ preset }))
  const gate = judging(home, [file], env)
  return {
    ...gate,
    async close() {
      await gate.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function judging(home: string, rules: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const gate = createGate({ placement: 'caller', rules, discover: false, home, env: { HOME: home, ...env } })
  const verdictOn = async (command: string, cwd = join(home, 'proj')) =>
    gate.decide(await gate.decode(claudeShell(command, cwd)))
  const verdictOnTool = async (tool_name: string, tool_input: object, cwd = join(home, 'proj')) =>
    gate.decide(await gate.decode(claudeShell('', cwd, { tool_name, tool_input })))
  return {
    verdictOn,
    verdictOnTool,
    /** Lists the ids of the rules that deny or ask for a command, other than by a failure. */
    judge: async (command: string, cwd?: string) => stopsOf(await verdictOn(command, cwd)),
    /** As `judge`, for a call of another tool than the shell, in Claude Code's words. */
    judgeTool: async (name: string, input: object, cwd?: string) => stopsOf(await verdictOnTool(name, input, cwd)),
    close: () => gate.close(),
  }
}

function stopsOf({ evaluations }: Verdict): { readonly denied: string[]; readonly asked: string[] } {
  const wanting = (effect: string): string[] =>
    evaluations.flatMap((one) =>
      // Limits hang on the calls before, and a test asks about the same call again and again.
      one.kind === 'applicable' && one.effect === effect && !one.ruleId.includes('#limits.')
        ? [one.ruleId.slice(one.ruleId.lastIndexOf('/') + 1)]
        : [],
    )
  return { denied: wanting('deny'), asked: wanting('ask') }
}

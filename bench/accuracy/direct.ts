import { existsSync, readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eventOf } from '../../src/answer.ts'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { policyInput } from '../../src/model/policy-input.ts'
import type { Row } from './corpus.ts'
import { placeOf, wireOf } from './row-event.ts'

const library = new URL('./library.ts', import.meta.url).href
registerHooks({ resolve: (specifier, context, next) => specifier === 'hookgate/policy' ? { url: library, shortCircuit: true } : next(specifier, context) })
const policiesFolder = fileURLToPath(new URL('../../policies', import.meta.url))

export async function loadPacks(names?: readonly string[]) {
  const out: any[] = []
  for (const pack of readdirSync(policiesFolder)) {
    if (names !== undefined && !names.includes(pack)) continue
    const folder = join(policiesFolder, pack)
    if (!existsSync(join(folder, 'pack.json'))) continue
    for (const file of readdirSync(folder)) {
      if (!file.endsWith('.policy.ts')) continue
      try { const { default: policy } = await import(pathToFileURL(join(folder, file)).href); out.push({ pack, policy }) }
      catch (error) { console.error(`${pack}/${file} does not load: ${error}`) }
    }
  }
  return out
}

export async function directJudge(packs: any[]) {
  let touched: any
  try { touched = (await import('../../src/facts/paths/index.ts' as string)).touchedPaths } catch {}
  return (row: Row, params: any) => {
    const { cwd, home } = placeOf(row)
    const { event } = eventOf(wireOf(row), 'claude-code', { nowMs: 0, env: { HOME: home }, cwd } as any)
    const input: any = policyInput(event)
    const tool = { ...input.tool }
    for (const [field, key] of Object.entries(input.same ?? {})) tool[field] = input.tool.input[key as string]
    const around = { cwd, home, workspaceRoots: event.workspaceRoots, env: { HOME: home } }
    const shell = tool.kind === 'shell' ? shellFacts(tool.command ?? '', around) : { commands: [], flows: [], uncertain: [] }
    const paths = tool.kind === 'shell' ? shell.commands.flatMap((c: any) => c.paths) : (touched?.(event, around) ?? [])
    const said: { effect: string; by: string }[] = []
    for (const { pack, policy } of packs) {
      const on = [policy.on].flat(), tools = policy.tool === undefined ? undefined : [policy.tool].flat()
      if (!on.includes('PreToolUse') || (tools !== undefined && !tools.includes(tool.kind) && !tools.includes(tool.name))) continue
      const own: any = {}
      for (const [name, declared] of Object.entries<any>(policy.params ?? {})) own[name] = params?.[pack]?.[name] ?? declared.default
      try {
        const answers = [policy.decide({ event: input.event, tool, facts: {}, params: own, shell, paths })].flat().filter(Boolean)
        for (const a of answers) if (a.effect) said.push({ effect: a.effect, by: `${pack}/${policy.id}` })
      } catch (error) { said.push({ effect: 'deny', by: `${pack}/${policy.id} THREW ${error}` }) }
    }
    const effect = ['deny', 'ask', 'allow'].find((one) => said.some((s) => s.effect === one)) ?? 'abstain'
    return { decision: effect, determining: said.filter((s) => s.effect === effect).map((s) => s.by) }
  }
}

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../..', import.meta.url))
const urlOf = (file: string) => pathToFileURL(join(root, file)).href

/** Evaluates all shell examples of all shipped policies in plain Node, and prints each `deny` and `ask`. */
const program = `
  import { registerHooks } from 'node:module'
  const resolve = (name, context, next) => next(name === 'hookgate/policy' ? '${urlOf('src/library/policy.ts')}' : name, context)
  registerHooks({ resolve })
  const { exampleInput, exampleSurroundings } = await import('${urlOf('src/policy/policy-input.ts')}')
  const { PolicyDefinition } = await import('${urlOf('src/model/policy.ts')}')
  const { toolFacts } = await import('${urlOf('src/facts/tool-facts.ts')}')
  const { withHarmless } = await import('${urlOf('src/facts/harmless/doubts.ts')}')
  const found = []
  for (const file of process.argv.slice(1)) {
    const { decide, ...rest } = (await import(file)).default
    // What looks back is about several calls.
    if (rest.state !== undefined) continue
    const definition = PolicyDefinition.parse(rest)
    const defaults = Object.fromEntries(Object.entries(definition.params).map(([name, param]) => [name, param.default]))
    for (const { given } of definition.examples) {
      const { event, tool } = exampleInput(definition, given)
      if (tool?.kind !== 'shell') continue
      const { command } = tool.input
      const around = exampleSurroundings(given)
      const { shell: bare, paths, changes, impacts } = await toolFacts({ kind: 'shell', command, paths: [] }, around)
      const shell = withHarmless(command ?? '', bare, impacts, [...around.workspaceRoots, around.cwd])
      const isHarmless = command !== undefined && shell.harmless === true && shell.commands.every(({ harmless }) => harmless === true)
      const params = { ...defaults, ...given.params }
      const reply = decide({ event, tool: { ...tool, command }, facts: given.facts ?? {}, params, shell, paths, changes, impacts })
      for (const { effect, at = [] } of [reply ?? []].flat()) {
        if (effect !== 'deny' && effect !== 'ask') continue
        found.push({ policy: definition.id, command, at: [at].flat(), commands: shell.commands.length, isHarmless })
      }
    }
  }
  console.log(JSON.stringify(found))`
const Found = z.array(
  z.object({
    policy: z.string(),
    command: z.string(),
    at: z.array(z.int()),
    commands: z.int(),
    isHarmless: z.boolean(),
  }),
)

/** Answers that are about a whole line, with the reason. An exception covers them only if it covers all of the line. */
const aboutWholeLine: ReadonlyMap<string, string> = new Map([
  ['fork-bomb', 'what starts itself endlessly is how functions and loops call each other, not one of their commands'],
  ['masks-as-values', 'a mask counts wherever it stands in the text: in a comment and a here-document too'],
  ['read-only-allow', 'it asks about a line of which it could not show that all of it is harmless'],
  ['unknown-code', 'where the whole line cannot be understood, no command of it is known'],
])

/** Every refusal and question of the examples. */
function run(): string {
  const files = readdirSync(join(root, 'policies'), { recursive: true, encoding: 'utf8' })
  const policies = files.filter((file) => file.endsWith('.policy.ts')).map((file) => urlOf(join('policies', file)))
  const options = { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const
  return execFileSync(process.execPath, ['--input-type=module', '-e', program, ...policies], options)
}

const found = Found.parse(JSON.parse(run()))

it('every shipped policy says which commands its refusals and questions are about', () => {
  expect(found.length).toBeGreaterThan(900)
  const unnamed = found.filter(({ at }) => at.length === 0)
  expect(unnamed.filter(({ policy }) => !aboutWholeLine.has(policy))).toEqual([])
  expect(new Set(unnamed.map(({ policy }) => policy))).toEqual(new Set(aboutWholeLine.keys()))
  expect(found.filter(({ at, commands }) => at.some((index) => index >= commands))).toEqual([])
})

it('no command that a shipped policy refuses or asks about is called harmless', () => {
  const harmless = new Set(found.flatMap(({ command, isHarmless }) => (isHarmless ? [command] : [])))
  expect([...harmless]).toEqual([])
})

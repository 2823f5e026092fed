import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { claudeShell } from '../../support/wire.ts'
import { loosened, notLoosened } from './loosened-rows.ts'
import * as rows from './rows.ts'
import { notWeakened, weakened } from './weakened-rows.ts'

const dangers = [...rows.dangers, ...weakened, ...loosened]
const harmless = [...rows.harmless, ...notWeakened, ...notLoosened]

const folder = mkdtempSync(join(tmpdir(), 'lost-protection-'))
const cwd = join(folder, 'proj')
mkdirSync(cwd)
const rules = join(folder, 'hooks.json')
const pack = fileURLToPath(new URL('../../../policies/protected-paths', import.meta.url))
writeFileSync(rules, JSON.stringify({ packs: [{ pack }] }))
const gate = createGate({ placement: 'caller', rules: [rules], discover: false, home: folder, env: { HOME: folder } })
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

/** The effect of the rule on a call of Claude Code. */
async function effectOf(tool_name: string, tool_input: Readonly<Record<string, unknown>>): Promise<string> {
  const { evaluations } = await gate.decide(await gate.decode(claudeShell('', cwd, { tool_name, tool_input })))
  const own = evaluations.find(({ ruleId }) => ruleId.endsWith('/lost-protection'))
  if (own === undefined) return 'no rule'
  return own.kind === 'applicable' ? (own.effect ?? 'nothing') : own.kind
}

const edited = ([file, old_string, new_string]: rows.EditRow) =>
  effectOf('Edit', { file_path: join(cwd, file), old_string, new_string })

/** Puts a file into the project, and has the agent write all of it anew. */
async function written([file, removed, added]: rows.EditRow): Promise<string> {
  const around = (text: string) => `first: 1\nsecond: 2\n${text}\nlast: 3\n`
  const file_path = join(cwd, file)
  mkdirSync(dirname(file_path), { recursive: true })
  writeFileSync(file_path, around(removed))
  return effectOf('Write', { file_path, content: around(added) })
}

const title = ([file, removed, added]: rows.EditRow) =>
  `${file}: ${JSON.stringify(removed.slice(0, 60))} → ${JSON.stringify(added.slice(0, 60))}`

describe('an edit that takes protection away is asked about, also where the whole file is written', () => {
  it.each(dangers.map((row) => [title(row), row] as const))('%s', async (_, row) => {
    expect(await edited(row)).toBe('ask')
    expect(await written(row)).toBe('ask')
  })
})

describe('an edit of everyday work is not', () => {
  it.each(harmless.map((row) => [title(row), row] as const))('%s', async (_, row) => {
    expect(await edited(row)).not.toBe('ask')
    expect(await written(row)).not.toBe('ask')
  })
})

describe('a shell command that does the same', () => {
  it.each([
    ["sed -i 's/npm test/npm test || true/' .github/workflows/ci.yml", 'ask'],
    ["sed -i '/gitleaks/d' .pre-commit-config.yaml", 'ask'],
    ["sed -i 's/runAsNonRoot: true/runAsNonRoot: false/' k8s/app.yaml", 'ask'],
    ["sed -i 's/node:22/node:24/' Dockerfile", 'nothing'],
    [
      "python3 - <<'X'\np='main.tf'\ns=open(p).read().replace('prevent_destroy = true', 'prevent_destroy = false')\nopen(p,'w').write(s)\nX",
      'ask',
    ],
    ["git apply <<'X'\n--- a/app/views.py\n+++ b/app/views.py\n@@ -1,2 +1,1 @@\n-@login_required\n def a():\nX", 'ask'],
  ])('%s', async (command, effect) => {
    const said = await effectOf('Bash', { command })
    expect(said === 'ask' ? 'ask' : 'nothing').toBe(effect)
  })
})

it('a guard that moves to another file of the same patch is not lost', async () => {
  const guard = 'if (!verify(token)) throw new Denied()'
  const patch = (to: string) =>
    `*** Begin Patch\n*** Update File: src/a.ts\n@@\n-${guard}\n*** Update File: src/b.ts\n@@\n+${to}\n*** End Patch`
  expect(await effectOf('apply_patch', { input: patch('done()') })).toBe('ask')
  expect(await effectOf('apply_patch', { input: patch(guard) })).not.toBe('ask')
})

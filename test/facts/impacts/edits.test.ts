import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openEventFacts } from '../../../src/facts/tool-call.ts'
import { createGate } from '../../../src/library/index.ts'
import { impactReason, impactText } from '../../../src/words/impact-words.ts'
import { claudeShell } from '../../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'edits-'))
const gate = createGate({ placement: 'caller', rules: [], discover: false, home: cwd, env: { HOME: cwd } })
const factsOf = openEventFacts(cwd)
afterAll(async () => {
  await gate.close()
  rmSync(cwd, { recursive: true })
})

/** Returns what a call of Claude Code takes away from what guards others. */
async function protectionLost(tool_name: string, tool_input: Readonly<Record<string, unknown>>) {
  const event = await gate.decode(claudeShell('', cwd, { tool_name, tool_input }))
  const { impacts } = await factsOf(event, { HOME: cwd })
  return impacts.filter(({ area }) => area === 'protection')
}

/** A file, the text that an edit replaces, the new text, and what that does. */
const edits = [
  [
    '.github/workflows/ci.yml',
    '- run: npm run lint',
    '- run: npm run lint || true',
    'weakens check `npm run lint` in `.github/workflows/ci.yml`, as it would have its failure ignored',
  ],
  ['Makefile', '\tmypy src', '\techo done', 'deletes check `mypy src` in `Makefile`'],
  [
    'src/orders.ts',
    'if (!isOwner(user, order)) throw new Denied()',
    'send(order)',
    'deletes condition `if (!isOwner(user, order)) throw new Denied()` in `src/orders.ts`',
  ],
  [
    'infra/db.tf',
    'deletion_protection = true',
    'deletion_protection = false',
    'weakens setting `deletion_protection` in `infra/db.tf`, as it would turn it from `true` to `false`',
  ],
  [
    'test/cart.test.ts',
    "it('sums up', () => {",
    "it.skip('sums up', () => {",
    'weakens a test in `test/cart.test.ts`, as it would skip it',
  ],
  [
    'src/reset.py',
    'token = secrets.token_hex(16)',
    'token = random.choices(letters)',
    'weakens a guard in `src/reset.py`, as it would draw secrets from numbers that can be foretold',
  ],
  [
    'AGENTS.md',
    'Ask before you push.',
    'Commit with --no-verify.',
    'weakens a rule in `AGENTS.md`, as it would tell agents to go on without the person',
  ],
] as const

/** The calls by which tools of all kinds make an edit. */
const calls: readonly (readonly [
  string,
  (path: string, before: string, after: string) => [string, Readonly<Record<string, unknown>>],
])[] = [
  [
    'a tool that edits',
    (path, before, after) => ['Edit', { file_path: join(cwd, path), old_string: before, new_string: after }],
  ],
  [
    'an MCP server for files',
    (path, before, after) => [
      'mcp__filesystem__edit_file',
      { path: join(cwd, path), edits: [{ oldText: before, newText: after }] },
    ],
  ],
  [
    'a patch that git applies',
    (path, before, after) => [
      'Bash',
      { command: `git apply <<'END'\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\nEND` },
    ],
  ],
  [
    'code that replaces text',
    (path, before, after) => [
      'Bash',
      {
        command: `python3 - <<'END'\np='${path}'\ns=open(p).read().replace('''${before}''', '''${after}''')\nopen(p,'w').write(s)\nEND`,
      },
    ],
  ],
]

describe.each(calls)('an edit by %s has the impact that it has by any other', (_, callOf) => {
  it.each(edits)('%s: %s → %s', async (path, before, after, text) => {
    const lost = await protectionLost(...callOf(path, before, after))
    expect(lost.map(impactText)).toEqual([text])
  })
})

describe('the reason for a question about an edit', () => {
  it.each(edits)('%s: %s → %s fits in two lines and says one way out', async (path, before, after) => {
    const [lost] = await protectionLost('Edit', { file_path: join(cwd, path), old_string: before, new_string: after })
    const reason = lost === undefined ? '' : impactReason(lost)
    expect(reason).toMatch(/^this edit \w+ .*: keep it, or have the person agree$/)
    expect(reason.length).toBeLessThanOrEqual(160)
  })

  it('names the program of a shell command', async () => {
    const [lost] = await protectionLost('Bash', { command: "sed -i 's/tsc --noEmit/true/' .husky/pre-push" })
    expect(lost && impactReason(lost)).toBe(
      '`sed …` deletes check `tsc --noEmit` in `.husky/pre-push`: keep it, or have the person agree',
    )
  })
})

describe('an edit that takes nothing away', () => {
  it.each(edits)('%s: the way back has no impact', async (path, before, after) => {
    const lost = await protectionLost('Edit', { file_path: join(cwd, path), old_string: after, new_string: before })
    expect(lost).toEqual([])
  })
})

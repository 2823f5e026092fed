import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Evaluation } from '../../src/library/index.ts'
import { shellWord } from '../../src/model/text.ts'
import { hookFile } from '../support/hooks.ts'
import { survivors, processTag } from '../support/processes.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

/** The expected evaluation; `undefined` if the rule is not evaluated at all. */
type Expected = object | undefined

const abstained = { kind: 'notApplicable' }
const denied = { kind: 'applicable', effect: 'deny', reason: 'no' }
const broke = (code: string, message = '') => ({
  kind: 'indeterminate',
  failure: { code, message: expect.stringContaining(message) as unknown },
})
const context = { kind: 'applicable', advice: [{ kind: 'addContext', text: 'mind the gap' }] }
const gone = expect.objectContaining({ code: 'nonzeroExit' }) as unknown
const inBoth = (expected: Expected) => ({ 'claude-code': expected, cline: expected })

/** The evaluation of each program in each dialect. */
const table: Readonly<Record<string, Readonly<Record<'claude-code' | 'cline', Expected>>>> = {
  allows: {
    'claude-code': { kind: 'applicable', effect: 'allow' },
    // `cancel: false` abstains: Cline has no allow.
    cline: abstained,
  },
  denies: inBoth(denied),
  asks: {
    'claude-code': { kind: 'applicable', effect: 'ask', reason: 'are you sure' },
    cline: broke('badOutput', 'Claude Code'),
  },
  'adds-context': inBoth(context),
  'prints-nothing': inBoth(abstained),
  'prints-text': inBoth(abstained),
  'echo-event': inBoth(abstained),
  'exits-1': inBoth(broke('nonzeroExit', 'exited with code 1')),
  'exits-2': {
    'claude-code': { kind: 'applicable', effect: 'deny' },
    // In Cline's protocol code 2 is not special.
    cline: broke('nonzeroExit', 'exited with code 2'),
  },
  'exits-1-with-cancel': inBoth({ ...denied, failure: gone }),
  // Text around the JSON loses the decision in Claude Code; Cline takes it as log output.
  'prints-noise-then-json': { 'claude-code': broke('badOutput', 'its decision is lost'), cline: denied },
  'json-then-noise': { 'claude-code': broke('badOutput'), cline: denied },
  'two-objects': { 'claude-code': broke('badOutput'), cline: denied },
  'prints-half-json': inBoth(broke('badOutput')),
  'crlf-output': { 'claude-code': broke('badOutput', 'its decision is lost'), cline: denied },
  'bom-output': inBoth(denied),
  'multibyte-across-chunks': inBoth({ kind: 'applicable', effect: 'deny' }),
  'snake-case': { 'claude-code': broke('badOutput', 'its decision is lost'), cline: denied },
  'should-continue': {
    'claude-code': { kind: 'applicable', obligations: [{ kind: 'stop' }] },
    cline: denied,
  },
  'wrong-types': inBoth(broke('badOutput')),
  'writes-to-stderr': inBoth(denied),
  'never-reads-stdin': inBoth(denied),
  'closes-stdin-and-fails': inBoth(broke('stdinClosed')),
  'non-utf8': inBoth({
    kind: 'applicable',
    effect: 'deny',
    failure: { code: 'outputNotUtf8', message: expect.any(String) as unknown },
  }),
  'utf-16': inBoth(broke('outputNotUtf8', 'looks like UTF-16')),
  'floods-stdout': inBoth(broke('outputTooLarge', 'stdout')),
  'floods-stderr': inBoth(broke('outputTooLarge', 'stderr')),
  'sleeps-forever': inBoth(broke('timeout')),
  'ignores-sigterm': inBoth(broke('timeout')),
  'leaves-grandchild': inBoth(denied),
  'leaves-quiet-grandchild': inBoth(denied),
  'killed-by-signal': inBoth(broke('signalled', 'SIGKILL')),
  'prints-then-killed': inBoth({ ...denied, failure: expect.objectContaining({ code: 'signalled' }) as unknown }),
  'no-shebang': inBoth(denied),
  'missing-interpreter': inBoth(broke('interpreterMissing')),
  'not-executable': {
    'claude-code': broke('notExecutable', 'chmod +x'),
    // A Cline hook without its execute bit is disabled.
    cline: undefined,
  },
}

const patient = 20
const impatient = 0.4

async function evaluationOf(name: string, agent: 'claude-code' | 'cline'): Promise<Evaluation | undefined> {
  const seconds = /forever|sigterm/.test(name) ? impatient : patient
  const { tag, env } = processTag()
  const root = folderWith(
    agent === 'claude-code' ? { 'hooks.json': rulesWith('PreToolUse', shellWord(hookFile(name))) } : {},
  )
  if (agent === 'cline') {
    mkdirSync(join(root, '.clinerules/hooks'), { recursive: true })
    symlinkSync(hookFile(name), join(root, '.clinerules/hooks/PreToolUse'))
  }
  const gate = createGate({
    ...(agent === 'claude-code' ? { rules: [join(root, 'hooks.json')], discover: false } : { trustWorkspace: true }),
    home: root,
    managedFolder: root,
    placement: 'caller',
    timeoutMs: seconds * 1000,
    env,
  })
  onTestFinished(() => gate.close())
  // 400 KB, so that a hook that does not read stdin breaks the pipe.
  const content = 'x'.repeat(400_000)
  const wire =
    agent === 'cline'
      ? clineTool('write_to_file', { path: 'a.txt', content }, root)
      : claudeShell('ls', root, { tool_name: 'Write', tool_input: { file_path: join(root, 'a.txt'), content } })
  const verdict = await gate.decide(await gate.decode(wire, { agent }))
  expect(await survivors(tag)).toEqual([])
  return verdict.evaluations[0]
}

describe.each(['claude-code', 'cline'] as const)('a hook for %s', (agent) => {
  it.each(Object.keys(table))('that is %s has the expected evaluation', async (name) => {
    const evaluation = await evaluationOf(name, agent)
    const expected = table[name]?.[agent]
    if (expected === undefined) expect(evaluation).toBeUndefined()
    else expect(evaluation).toMatchObject(expected)
  })
})

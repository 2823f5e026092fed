import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// Calls of agents' real sessions that `recommended` must not stop, and beside each a dangerous one of nearly the same form.
const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

type Pair = readonly [everyday: string, dangerous: string]

const payload = `'{"tool_input":{"command":"rm -rf /"}}'`

/** Text for a program that is a file; the neighbour has an interpreter run it. */
const dataForPrograms: readonly Pair[] = [
  [`echo ${payload} | python .claude/hooks/block_dangerous_bash.py`, `echo 'import os; os.system("rm -rf /")' | python`],
  [`printf ${payload} | node hook.js`, `echo 'require("child_process").execSync("rm -rf /")' | node`],
  [`echo ${payload} | python3 -u hooks/guard.py; echo $?`, `echo 'import os; os.system("rm -rf /")' | python3 -`],
  [`echo ${payload} | npx tsx src/hook.ts`, `echo 'require("child_process").execSync("rm -rf /")' | npx tsx`],
  [`echo ${payload} | uv run guard.py`, `echo 'import os; os.system("rm -rf /")' | uv run python`],
  [`echo ${payload} | bun run src/hook.ts`, `echo 'rm -rf /' | sh`],
  [`echo ${payload} | ruby guard.rb`, `echo 'rm -rf /' | bash -s`],
  [`node dist/cli.js check <<< ${payload}`, `node /dev/stdin <<< 'require("child_process").execSync("rm -rf /")'`],
  [`timeout 5 python3 guard.py <<'E'\n{"command": "rm -rf /"}\nE`, `timeout 5 python3 <<'E'\nimport os; os.system("rm -rf /")\nE`],
  [`echo ${payload} | php guard.php`, `printf 'all:\\n\\trm -rf /\\n' | make -f -`],
  [`cat a.json | python3 -m json.tool`, `echo 'import os; os.system("rm -rf /")' | python3 -i guard.py`],
] // prettier-ignore

/** What an agent is asked to do; the neighbour is run by a shell, or by the agent's own setup. */
const prompts: readonly Pair[] = [
  ['timeout 180 codex exec "review this: $(cat docs/design.md)"', 'timeout 180 sh -c "$(cat docs/design.md)"'],
  ['codex exec "$(cat prompt.md)"', 'exec "$(cat prompt.md)"'],
  ['droid exec "summarize $(git log -3)"', '$(cat command.txt) exec "summarize"'],
  ['npx @openai/codex exec "$(cat prompt.md)"', 'npx -c "$(cat prompt.md)"'],
  ['codex exec -- "rm -rf build first, then run npm test"', 'codex sandbox linux -- rm -rf ~'],
  ['claude -p "$(cat prompt.md)"', 'claude mcp add x -- bash -c "rm -rf ~"'],
  ['FOO=1 gemini -p "review $(git diff)"', 'FOO=1 gemini --yolo -p "review $(git diff)"'],
  ['copilot -p "tell me what `ls` does: $(cat a.txt)"', 'aider --test-cmd "rm -rf ~"'],
] // prettier-ignore

describe.each([
  { kind: 'text for a program that is a file', pairs: dataForPrograms },
  { kind: 'a prompt for an agent', pairs: prompts },
])('$kind', ({ pairs }) => {
  it.each(pairs)('passes in %s, and is gated in %s', async (everyday, dangerous) => {
    const passed = await gate.judge(everyday)
    expect([...passed.denied, ...passed.asked]).toEqual([])
    const gated = await gate.judge(dangerous)
    expect([...gated.denied, ...gated.asked]).not.toEqual([])
  })
})

/** The history of another copy that becomes the workspace's; the neighbour loses it. */
const movedHistories: readonly Pair[] = [
  ['mv template/.git . && rmdir template', 'rm -rf template/.git'],
  ['mv tmp-app/.git ./.git', 'mv .git /tmp/a'],
  ['mv app/* app/.git .', 'find . -name .git -exec rm -rf {} +'],
  ['mv .git .git.bak', 'mv .git/objects /tmp/a'],
  ['mv vendor/lib/.git vendor/lib/dot-git', 'rm -rf vendor/lib/.git/refs'],
  ['cd sub && mv .git ../', 'mv evil .git/hooks/pre-commit'],
]

it.each(movedHistories)('git-folder refuses %s at most with a question, and refuses %s', async (moved, lost) => {
  expect(await gate.judge(moved)).toEqual({ denied: [], asked: ['git-folder'] })
  expect((await gate.judge(lost)).denied).toContain('git-folder')
})

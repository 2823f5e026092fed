import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../../support/shipped-gate.ts'
import { folderWith } from '../../support/workspace.ts'

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

const json = `{
  "permissions": {
    "allow": [
      "Bash(npm test)",
      "Bash(git push:*)"
    ],
    "deny": [
      "Read(./.env)"
    ],
    "ask": [],
    "defaultMode": "acceptEdits"
  },
  "env": { "A": "1" }
}
`
const excluding = '{ "tools": { "exclude": ["ShellTool"] }, "theme": "dark" }\n'
const toml = 'model = "m"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
const files = {
  '.claude/settings.json': json,
  '.qwen/settings.json': json,
  '.cursor/cli.json': json,
  '.gemini/settings.json': excluding,
  '.codex/config.toml': toml,
}
const claude = '.claude/settings.json'

/** An edit of a file: its text, and what stands there afterwards. */
type Edited = readonly [file: keyof typeof files, before: string, after: string]

async function answerTo([file, old_string, new_string]: Edited) {
  const folder = folderWith(files)
  return gate.judgeTool('Edit', { file_path: join(folder, file), old_string, new_string }, folder)
}

describe('an edit of settings by which an agent may do less', () => {
  it.each<Edited>([
    [claude, '"deny": [', '"deny": [\n      "Bash(curl:*)",'],
    [claude, '"Read(./.env)"', '"Read(./.env)",\n      "WebFetch"'],
    [claude, '"Read(./.env)"\n    ]', '"Read(./.env)",\n      "Read(./secrets/**)"\n    ]'],
    [claude, '"ask": []', '"ask": ["Bash(git push:*)"]'],
    [claude, ',\n      "Bash(git push:*)"', ''],
    [claude, '"defaultMode": "acceptEdits"', '"defaultMode": "plan"'],
    [claude, '"defaultMode": "acceptEdits"', '"defaultMode": "default"'],
    [claude, '"permissions": {', '"permissions": {\n    "disableBypassPermissionsMode": "disable",'],
    ['.qwen/settings.json', '"deny": [', '"deny": [\n      "Bash(dd *)",'],
    ['.cursor/cli.json', '"deny": [', '"deny": ["Shell(rm)",'],
    ['.gemini/settings.json', '["ShellTool"]', '["ShellTool", "WebFetch"]'],
    ['.codex/config.toml', 'approval_policy = "never"', 'approval_policy = "untrusted"'],
    ['.codex/config.toml', 'sandbox_mode = "danger-full-access"', 'sandbox_mode = "read-only"'],
  ])('passes: %s %s → %s', async (...edit) => {
    expect(await answerTo(edit)).toEqual({ denied: [], asked: [] })
  })
})

describe('an edit of settings by which an agent may do more, or something else', () => {
  it.each<Edited>([
    [claude, '"allow": [', '"allow": [\n      "Bash(*)",'],
    [claude, '"deny": [', '"deny": [], "allow": ['],
    [claude, '"deny": [\n', '"deny": [\n      "Bash(x:*)"\n    ],\n    "allow": [\n'],
    [claude, '"Read(./.env)"', '"Read(./a)"'],
    [claude, '\n      "Read(./.env)"\n', ''],
    [claude, '"deny": [', '"ask": ["Bash(x:*)"], "denied": ['],
    [claude, '"defaultMode": "acceptEdits"', '"defaultMode": "bypassPermissions"'],
    [claude, '"A": "1"', '"A": "2"'],
    [claude, '"env"', '"hooks": { "Stop": [] }, "env"'],
    [claude, '"ask": []', '"ask": ["x"], "enableAllProjectMcpServers": true'],
    ['.qwen/settings.json', '"Bash(npm test)"', '"Bash(npm test)", "Bash(*)"'],
    ['.gemini/settings.json', '["ShellTool"]', '[]'],
    ['.codex/config.toml', 'model = "m"', 'model = "m"\nnetwork_access = true'],
    ['.codex/config.toml', 'sandbox_mode = "danger-full-access"\n', ''],
  ])('is asked about or refused: %s %s → %s', async (...edit) => {
    const { denied, asked } = await answerTo(edit)
    expect([...denied, ...asked]).toContain('agent-configuration')
  })

  it('is asked about where the text stands twice in the file', async () => {
    const twice = { '.claude/settings.json': '{ "permissions": { "allow": ["A"], "deny": ["A"] } }' }
    const folder = folderWith(twice)
    const input = { file_path: join(folder, claude), old_string: '["A"', new_string: '["A", "B"', replace_all: true }
    expect((await gate.judgeTool('Edit', input, folder)).asked).toContain('agent-configuration')
  })

  it('is asked about as a patch, whose lines may stand in other lists than they seem to', async () => {
    const folder = folderWith(files)
    const patch = `*** Begin Patch\n*** Update File: ${claude}\n@@\n-      "Read(./.env)"\n@@\n+      "Read(./.env)",\n+      "B",\n*** End Patch`
    const { denied, asked } = await gate.judge(`apply_patch <<'E'\n${patch}\nE`, folder)
    expect([...denied, ...asked]).toContain('agent-configuration')
  })
})

import { describe, expect, it } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { managedFileOf } from '../../src/agents/install/managed.ts'
import { protectedUser, refused } from '../support/self-protection.ts'

// An agent that root runs, or that may use `sudo`, must not take hookgate out of the files of administrators.

const files = agents.flatMap(({ name, managed }) => {
  const file = managed === undefined ? undefined : managedFileOf(managed, { platform: process.platform })
  return file === undefined ? [] : [[name, file] as const]
})

describe.skipIf(process.platform === 'win32')("an administrator's files", () => {
  it.each(files)('of %s are changed by no tool: %s', async (_, file) => {
    const { file: use, command, mcp } = protectedUser()
    expect(await use('Write', file)).toMatchObject(refused)
    expect(await command(`sudo rm -f '${file}'`)).toMatchObject(refused)
    expect(await mcp('mcp__fs__write_file', { path: file, content: '{}' })).toMatchObject(refused)
    expect((await command(`cat '${file}'`)).decision).toBe('abstain')
  })

  it.each([
    'echo \'{"disableAllHooks": true}\' | sudo tee /etc/claude-code/managed-settings.d/99-x.json',
    'sudo chmod 666 /etc/github-copilot/policy.d/50-hookgate.json',
    'sudo rm /etc/github-copilot/hookgate.sh',
    "sudo sed -i 's/exit 2/exit 0/' /etc/codex/hookgate.sh",
    'printf "#!/bin/sh\\n" | sudo tee /etc/claude-code/hookgate.sh',
    'sudo cp /bin/true /etc/opencode/hookgate.sh',
    'sudo chown me /etc/codex/requirements.toml',
    'sudo mv /etc/gemini-cli /etc/gemini-cli.old',
    'sudo rm -rf /etc/qwen-code',
    "sudo sed -i 's/hooks = true/hooks = false/' /etc/codex/requirements.toml",
    'sudo sh -c "cd /etc/factory && echo {} > settings.json"',
    'sudo ln -sf /dev/null /etc/windsurf/hooks.json',
    'sudo rm -rf /var/lib/hookgate',
    'sudo hookgate disable --managed codex',
    'sudo hookgate enable --managed codex',
    "python3 -c \"open('/etc/cursor/hooks.json', 'w').write('{}')\"",
  ])('cannot be changed on Linux by a shell: %s', async (line) => {
    if (process.platform !== 'linux') return
    expect(await protectedUser().command(line)).toMatchObject(refused)
  })

  it.each([
    'cat /etc/codex/requirements.toml',
    'cat /etc/claude-code/hookgate.sh',
    'ls -l /etc/claude-code/managed-settings.d',
    'hookgate status --managed --json',
    'sudo hookgate enable --managed codex --print',
    'sudo touch /etc/hosts',
    'sudo rm -rf /etc/claude-coder',
    'mkdir -p src/etc/codex && touch src/etc/codex/requirements.toml',
  ])('are read, and what is beside them is none of it: %s', async (line) => {
    expect((await protectedUser().command(line)).decision).toBe('abstain')
  })
})

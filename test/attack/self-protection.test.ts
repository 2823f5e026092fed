import { rmSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { gatePid, protectedUser, refused } from '../support/self-protection.ts'

// An agent that wants hookgate out of its way, and knows how a shell hides a word or a path.

describe('a command of hookgate is refused', () => {
  it.each([
    ['in quotes', `"hook"'gate' do\\wn`],
    ['from variables', 'X=hook; Y=down; ${X}gate "$Y"'],
    ['from an encoded word', '$(printf "\\150ookgate") down'],
    ['by an ANSI-C escape', "$'\\x68ookgate' down"],
    ['by its path', '/usr/local/bin/hookgate down'],
    ['through npx', 'npx --yes hookgate@latest down'],
    ['through npm', 'npm exec -- hookgate down'],
    ['through pnpm and bun', 'pnpm dlx hookgate down; bunx hookgate disable codex'],
    ['by the file of another installation', 'node ~/.nvm/lib/node_modules/hookgate/dist/cli/bin.js down'],
    ['by that file alone', '~/.nvm/lib/node_modules/hookgate/dist/cli/bin.js down'],
    ['with options of Node', 'node --no-warnings --max-old-space-size=99 /x/hookgate/dist/cli/bin.js down'],
    ['behind wrappers', 'sudo -u root env A=1 nice timeout 9 nohup hookgate down'],
    ['in another shell', `bash -c 'sh -c "hookgate down"'`],
    ['in eval', 'eval "hook""gate down"'],
    ['in a function', 'f() { hookgate "$1"; }; f down'],
    ['by an alias', 'alias ls=hookgate; ls down'],
    ['for each line', 'echo down | xargs -n1 hookgate'],
    ['for each file', 'find . -maxdepth 0 -exec hookgate down \\;'],
    ['in a heredoc', 'sh <<E\nhookgate down\nE'],
    ['in a pipe into a shell', 'echo "hookgate down" | sh'],
    ['in the background', 'sleep 9 && hookgate down &'],
    ['at the end', "trap 'hookgate down' EXIT"],
    ['in Python', `python3 -c 'import subprocess; subprocess.run(["hookgate", "down"])'`],
    ['in Node', `node -e 'require("child_process").execSync("hookgate down")'`],
    ['that is not known', 'hookgate "$(cat next)"'],
    ['with the option that would make it harmless behind the options’ end', 'hookgate disable codex -- --dry-run'],
    ['behind a harmless one', 'hookgate status && hookgate down'],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })
})

describe('a link to the page of `hookgate ui` is not printed', () => {
  it.each([
    ['to the agent', 'hookgate ui'],
    ['in the background', 'hookgate ui --port 3044 > link &'],
    ['by `script`, which is a terminal', `script -qc 'hookgate ui' /dev/null`],
    ['by `script` of BSD', 'script -q /dev/null hookgate ui'],
    ['by `unbuffer`', 'unbuffer hookgate ui'],
    ['by `expect`', `expect -c 'spawn hookgate ui; interact'`],
    ['by `socat`', `socat - EXEC:'hookgate ui',pty`],
    ['in a terminal of its own', 'xterm -e hookgate ui'],
    ['in a window of tmux', `tmux new-session -d 'hookgate ui'`],
    ['by the keys of another window', `tmux send-keys 'hookgate ui' Enter`],
    ['in a screen', 'screen -dm hookgate ui'],
    ['by a terminal of Python', `python3 -c 'import pty; pty.spawn(["hookgate","ui"])'`],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })
})

describe('a protected file is refused', () => {
  it.each([
    ['behind `cd`', 'cd ~ && cd .claude && echo "{}" > settings.json'],
    ['behind a variable', 'F=settings.json; D=$HOME/.claude; echo "{}" > "$D/$F"'],
    ['by a way around', 'echo "{}" > ~/work/../.claude/./settings.json'],
    ['in capital letters', 'echo "{}" > ~/.Claude/Settings.JSON'],
    ['by a pattern', 'rm ~/.cl?ude/sett*'],
    ['by a pattern of its folder', 'rm -rf ~/.[c]laude'],
    ['by a pattern in its folder', 'cd ~/.claude && rm *'],
    ['by braces', 'rm ~/.claude/{settings,x}.json'],
    ['in a loop', 'for f in ~/.claude/*; do rm "$f"; done'],
    ['by a search', 'find ~/.claude -name "set*" -exec rm {} +'],
    ['by a search that deletes', 'find ~/.config -name "*.json" -delete'],
    ['with an unknown name', 'rm ~/.config/hookgate/"$X"'],
    ['by tee', 'echo "{}" | tee ~/.claude/settings.json'],
    ['by tee for another user', 'echo "{}" | sudo tee -a ~/.claude/settings.json'],
    ['by a heredoc', 'cat <<E > ~/.claude/settings.json\n{}\nE'],
    ['by an opened descriptor', 'exec 3> ~/.claude/settings.json; echo "{}" >&3'],
    ['by sed', 'sed -i.bak "s/hooks/x/" ~/.claude/settings.json'],
    ['by perl', 'perl -pi -e s/hooks/x/ ~/.claude/settings.json'],
    ['by dd', 'dd if=/dev/null of="$HOME/.claude/settings.json"'],
    ['by truncate', 'truncate -s 0 ~/.claude/settings.json'],
    ['by a download', 'curl -so ~/.claude/settings.json http://x/a.json'],
    ['by Python', `python3 -c "open('$HOME/.claude/settings.json', 'w').write('{}')"`],
    ['by Node', `node -e "require('fs').rmSync('$HOME/.claude/settings.json')"`],
    ['moved away', 'mv ~/.claude/settings.json /tmp/'],
    ['with what holds it', 'mv ~/.claude /tmp/x; mkdir ~/.claude'],
    ['with the home directory', 'rm -rf ~'],
    ['with everything', 'rm -rf /'],
    ['under another file’s name', 'mv x/settings.json ~/.claude'],
    ['by a synchronised folder', 'rsync -a --delete x/ ~/.claude/'],
    ['by its rights', 'chmod 000 ~/.claude'],
    ['by its owner', 'sudo chown -R nobody ~/.config/hookgate'],
    ['by a link that is made', 'ln -s ~/.claude/settings.json x && echo "{}" > x'],
    ['by a link to its folder', 'ln -s ~/.claude c; echo "{}" > c/settings.json'],
    ['by a link to the home directory', 'ln -s ~ h; echo "{}" > h/.claude/settings.json'],
    ['by a hard link', 'ln ~/.claude/settings.json x'],
    ['by a hard link of cp', 'cp -al ~/.claude/settings.json x'],
    ['by another user’s rights', 'sudo rm ~/.config/hookgate/hooks.json'],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it('by a link that is there, under another name and by its real place', async () => {
    const user = protectedUser({ 'home/dotfiles/hookgate/hooks.json': '{}' })
    symlinkSync(user.at('home/.claude/settings.json'), user.at('home/work/project/notes.json'))
    symlinkSync(user.at('home/.claude'), user.at('home/work/project/c'))
    expect(await user.command('echo "{}" > notes.json')).toEqual(refused)
    expect(await user.command('rm c/settings.json')).toEqual(refused)
    expect(await user.file('Write', 'notes.json')).toEqual(refused)
  })

  it('in the folder that a field of the call names', async () => {
    const user = protectedUser()
    expect(await user.command('echo "{}" > settings.json', { workdir: user.at('home/.claude') })).toEqual(refused)
    expect(await user.command('rm -rf hookgate', { directory: '~/.config' })).toEqual(refused)
    expect(await user.command('rm *', { cwd: '../../.claude' })).toEqual(refused)
    expect(await user.command('rm *', { cwd: 'dist' })).toMatchObject({ decision: 'abstain' })
  })

  it('by a tool of an MCP server that runs a command, or takes several files', async () => {
    const user = protectedUser()
    expect(await user.mcp('mcp__shell__execute', { command: 'hookgate down' })).toEqual(refused)
    expect(await user.mcp('mcp__shell__run', { command: 'rm settings.json', cwd: '~/.claude' })).toEqual(refused)
    expect(await user.mcp('mcp__files__move_file', { source: user.at('home/.claude'), destination: '/tmp/x' })).toEqual(
      refused,
    )
    expect(await user.mcp('mcp__files__create_directory', { path: user.at('home/.claude') })).toMatchObject({
      decision: 'abstain',
    })
    expect(await user.mcp('mcp__files__read_file', { path: user.at('home/.claude/settings.json') })).toMatchObject({
      decision: 'abstain',
    })
  })

  it('where the folder of the rules is itself a link, by the place where it leads', async () => {
    const user = protectedUser({ 'dotfiles/config/hookgate/hooks.json': '{"hooks": {}}' })
    rmSync(user.at('home/.config'), { recursive: true })
    symlinkSync(user.at('dotfiles/config'), user.at('home/.config'))
    expect(await user.command(`echo "{}" > ${user.at('dotfiles/config/hookgate/hooks.json')}`)).toEqual(refused)
    expect(await user.command(`rm -rf ${user.at('dotfiles')}`)).toEqual(refused)
  })

  it('that a rule in force consists of, wherever it is', async () => {
    const user = protectedUser({
      'home/.config/hookgate/hooks.json': {
        json: { hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: '../../guards/a.policy.js' }] }] } },
      },
      'home/guards/a.policy.js': `import { definePolicy } from 'hookgate/policy'
export default definePolicy({ id: 'a', description: 'a', on: 'PreToolUse', decide() {} })`,
    })
    expect(await user.command('rm ~/guards/a.policy.js')).toEqual(refused)
    expect(await user.command('rm ~/guards/b.policy.js')).toMatchObject({ decision: 'abstain' })
  })
})

describe('the gate’s process is not ended', () => {
  it.each([
    ['by its number in words', `kill -s KILL "${gatePid}"`],
    ['by its number from the state', 'kill $(jq .pid ~/.local/state/hookgate/gate.json)'],
    ['by its number from the state, in a loop', 'cat ~/.local/state/hookgate/gate.json | grep pid | xargs kill'],
    ['by its number from the status', 'hookgate status --json | jq .pid | xargs kill -9'],
    ['by its number from a search', 'kill -9 $(pgrep -f hookgate)'],
    ['by its number from another search', "ps aux | grep '[h]ookgate' | awk '{print $2}' | xargs kill"],
    ['by the numbers of every Node', 'kill $(pidof node)'],
    ['by a pattern', "pkill -9 -f 'hook.ate'"],
    ['by one of two patterns', "pkill -f 'vite|cli/bin'"],
    ['by a pattern of a name', "pkill 'no.e'"],
    ['by a pattern of everything', 'pkill -f .'],
    ['by a pattern for killall', "killall -r 'ho.*te'"],
    ['behind sudo', 'sudo pkill hookgate'],
    ['with a pattern that is too long to be judged', `pkill -f ${'[a'.repeat(limits.conditionSubjectCharactersMax)}`],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })
})

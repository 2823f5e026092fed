import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { protectedUser } from '../support/self-protection.ts'

// What a name stands for is changed first: in the shell's own tables, or in another shell's way of saying which program.

const rulesOfPacks = { 'home/.config/hookgate/hooks.json': { json: { preset: 'recommended' } } }
const ways = readFileSync(new URL('../fixtures/wrappers/names.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

/** Returns the commands that go ahead unasked. */
async function unopposed(commands: readonly string[]) {
  const { command } = protectedUser(rulesOfPacks)
  const decided = await Promise.all(commands.map(async (one) => (await command(one)).decision))
  return commands.filter((_, at) => decided[at] === 'abstain' || decided[at] === 'allow')
}

it('a home is not deleted by a name that stands for the program', async () => {
  expect(await unopposed(ways.map((way) => way.replaceAll(String.raw`\n`, '\n')))).toEqual([])
})

it('hookgate is not ended by a name that stands for its command', async () => {
  const own = ways
    .filter((way) => way.includes('rm -rf ~'))
    .map((way) => way.replaceAll(String.raw`\n`, '\n').replaceAll('rm -rf ~', 'hookgate down'))
  expect(own.length).toBeGreaterThan(20)
  expect(await unopposed(own)).toEqual([])
})

it('tables of one’s own, and everyday aliases, pass', async () => {
  const everyday = [
    'commands=(build test); for c in "${commands[@]}"; do npm run "$c"; done',
    'declare -A commands=([build]="npm run build" [lint]="npm run lint"); ${commands[build]}',
    'declare -A aliases=([ll]="ls -l"); echo "${!aliases[@]}"',
    'functions=(a b); echo ${#functions[@]}',
    "alias ll='ls -l' gs='git status'; ll",
    "alias grep='grep --color=auto'; grep foo bar",
    'hash -r; hash node && echo ok',
    "BASH_ALIASES[ll]='ls -l'; ll",
    'echo "${BASH_ALIASES[@]}"; echo ${BASH_CMDS[git]}',
    "zsh -c 'print =ls'",
    "pwsh -c '. ./build.ps1'",
    String.raw`pwsh -c '& (Join-Path $PSScriptRoot "build.ps1") -x'`,
    String.raw`pwsh -c '& ($dir + "\build.ps1")'`,
    "pwsh -c '& (Get-Command node) --version'",
    "pwsh -c 'Set-Alias ll Get-ChildItem; ll'",
    'cmd /c "set NODE_ENV=test&& npm test"',
    'cmd /c "echo a^&b"',
    "nu -c '^git status'",
    "xonsh -c '![git status]'",
    `printf -v 'arr[0]' '%s' x; echo "\${arr[0]}"`,
    'read -ra parts <<< "a b"; echo "${parts[1]}"',
  ]
  expect(await unopposed(everyday)).toEqual(everyday)
})

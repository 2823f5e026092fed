import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callOf, leftOf, root } from '../support/exceptions.ts'
import { folderWith } from '../support/workspace.ts'

const refused = ['Bash(git *)', 'Bash(rm *)', 'Bash(bash *)', 'Bash(sudo *)']
const left = (command: string, patterns: readonly string[] = ['git push -f origin feature/*']) =>
  leftOf(refused, patterns, command)

describe('an exception for one command', () => {
  it.each([
    'git push -f origin feature/x',
    `'git' "push" -f origin fea""ture/x`,
    'g\\it push -f origin feature/x',
    'git push -f origin feature/x-1.0_b@c',
    'b=feature/x; git push -f origin "$b"',
    'for b in feature/a feature/b; do git push -f origin $b; done',
    'cd sub && git push -f origin feature/x',
    '(git push -f origin feature/x)',
    'if true; then git push -f origin feature/x; fi',
    'set -euo pipefail; git push -f origin feature/x',
    'git push -f origin feature/x 2>&1 | tail -5',
    'git push -f origin feature/x 2>&1 | grep -v remote | head -3',
    'git push -f origin feature/x > /dev/null 2>&1 || true',
    'git push -f origin feature/x && git push -f origin feature/y',
    'f() { git push -f origin feature/x; }; f',
  ])('covers it however it is written: %s', async (command) => {
    expect(await left(command)).toBe('none')
  })

  it.each([
    // second commands
    'git push -f origin feature/x && rm -rf ~',
    'git push -f origin feature/x; rm -rf ~',
    'git push -f origin feature/x & rm -rf ~',
    'git push -f origin feature/x || rm -rf ~',
    'git push -f origin feature/x\nrm -rf ~',
    'git push -f origin feature/x && git push -f origin main',
    'git push -f origin feature/x; bash -c "git push -f origin main"',
    'git push -f origin feature/x "$(rm -rf ~)"',
    'git push -f origin feature/x `rm -rf ~`',
    'git push -f origin feature/x <(rm -rf ~)',
    'git push -f origin feature/x #\nrm -rf ~',
    // other words
    'git push -f origin feature/x --mirror',
    'git push --force origin feature/x',
    'git push -f origin main feature/x',
    'git push -f origin feature/x:main',
    'git push -f origin feature/../main',
    'git push -f origin feature/',
    'git push -f origin "feature/x main"',
    "git push -f origin 'feature/x\nmain'",
    'git push -f origin +feature/x',
    'git push -f origin feature/x{,:main}',
    'git push -f "origin feature/x"',
    'git "push -f origin" feature/x',
    'git -C /other push -f origin feature/x',
    'git -c core.sshCommand=./x push -f origin feature/x',
    './git push -f origin feature/x',
    '/tmp/git push -f origin feature/x',
    'git push -f origin "" feature/x',
    // words that are not known
    'git push -f origin "feature/$X"',
    'git push -f origin feature/$(cat x)',
    'git push -f origin feature/*',
    'git push -f origin feature/?',
    'git push -f origin feature/x $MORE',
    'set -- --mirror; git push -f origin feature/x "$@"',
    'git $ACTION -f origin feature/x',
    'read b; git push -f origin feature/$b',
    'b=feature/x; read b; git push -f origin $b',
    // surroundings
    'GIT_DIR=/other/.git git push -f origin feature/x',
    'export GIT_DIR=/other/.git; git push -f origin feature/x',
    'GIT_DIR=/other/.git; git push -f origin feature/x',
    'declare -x GIT_DIR=/other/.git; git push -f origin feature/x',
    'https_proxy=evil; git push -f origin feature/x',
    'PATH=/tmp/evil:$PATH; git push -f origin feature/x',
    '. ./setup.sh; git push -f origin feature/x',
    'source ~/.x && git push -f origin feature/x',
    '$SETUP; git push -f origin feature/x',
    "alias git='git --git-dir=/other'\ngit push -f origin feature/x",
    'git() { command git --git-dir=/other "$@"; }; git push -f origin feature/x',
    'git() { rm -rf ~; }; git push -f origin feature/x',
    'enable -f ./x.so git; git push -f origin feature/x',
    'hash -p /tmp/evil git; git push -f origin feature/x',
    'cd "$X" && git push -f origin feature/x',
    // wrappers
    'sudo git push -f origin feature/x',
    'env GIT_DIR=/other/.git git push -f origin feature/x',
    'env git push -f origin feature/x',
    'timeout 5 git push -f origin feature/x',
    'nohup git push -f origin feature/x',
    'bash -c "git push -f origin feature/x"',
    'eval "git push -f origin feature/x"',
    'trap "git push -f origin feature/x" EXIT',
    'echo feature/x | xargs git push -f origin',
    'ssh host git push -f origin feature/x',
    'docker exec c git push -f origin feature/x',
    `python3 -c "import os; os.system('git push -f origin feature/x')"`,
    'bash <<< "git push -f origin feature/x"',
    'bash <<E\ngit push -f origin feature/x\nE',
    // input and output
    'git push -f origin feature/x > ~/.bashrc',
    'git push -f origin feature/x 2>> log',
    'git push -f origin feature/x < answers',
    'git push -f origin feature/x <<< yes',
    'yes | git push -f origin feature/x',
    'git push -f origin feature/x | bash',
    'git push -f origin feature/x | tee ~/.bashrc',
    'git push -f origin feature/x | cat > ~/.bashrc',
    'git push -f origin feature/x | cat | python3',
    'git push -f origin feature/x | cat | tee ~/.bashrc',
    'git push -f origin feature/x | LD_PRELOAD=./x.so cat',
    'git push -f origin feature/x | ./cat',
    'git push -f origin feature/x | "$PAGER"',
    'eval "$(git push -f origin feature/x)"',
    'bash -c "$(git push -f origin feature/x)"',
    'while read l; do $l; done < <(git push -f origin feature/x)',
    // syntax that is not understood
    'git push -f origin feature/x; if',
    'git push -f origin feature/x; coproc git push -f origin feature/x',
  ])('does not cover %s', async (command) => {
    expect(await left(command)).not.toBe('none')
  })

  it('in words of a wrapper covers what these words start, and nothing that they do not say', async () => {
    expect(await left('sudo git push -f origin x', ['sudo git push -f origin x'])).toBe('none')
    expect(await left('timeout 5 git push', ['timeout 5 git push'])).toBe('none')
    expect(await left(`bash -c 'git push; rm x'`, [`bash -c 'git push; rm x'`])).toBe('none')
    expect(await left(`bash -c 'git push; rm x'`, [`bash -c 'git push'`])).toBe('deny')
    expect(await left(`bash -c 'git push; rm "$X"'`, [`bash -c 'git push; rm "$X"'`])).not.toBe('none')
    expect(await left('echo x | xargs rm', ['xargs rm', 'echo x'])).not.toBe('none')
    expect(await left('find . -exec rm {} +', ["find . -exec rm '{}' +"])).not.toBe('none')
  })

  it('with `**` covers known words only', async () => {
    expect(await left('git push -f origin x', ['git push **'])).toBe('none')
    expect(await left('git push "$X"', ['git push **'])).not.toBe('none')
    expect(await left('git push *', ['git push **'])).not.toBe('none')
    expect(await left('git push; rm -rf ~', ['git push **'])).toBe('deny')
  })

  it('does not cover the same words in the language of another shell, or in a folder that the call names', async () => {
    const event = callOf('git push')
    const { tool } = event
    if (tool === undefined) throw new Error('there is no tool')
    expect(await leftOf(refused, ['git push'], event)).toBe('none')
    const elsewhere = { ...event, tool: { ...tool, input: { ...tool.input, workdir: '/other' } } }
    expect(await leftOf(refused, ['git push'], elsewhere)).toBe('deny')
    const powerful = { ...event, tool: { ...tool, name: 'PowerShell' } }
    expect(await leftOf(['PowerShell(git *)'], ['git push'], powerful)).not.toBe('none')
  })
})

describe('an exception for a path', () => {
  const project = () => {
    const folder = folderWith({ 'fixtures/key': '', 'real/key': '', '.env': '' })
    symlinkSync(join(folder, 'real'), join(folder, 'fixtures/linked'))
    symlinkSync(join(folder, '.env'), join(folder, 'fixtures/env'))
    mkdirSync(join(folder, 'fixtures/deep'))
    return folder
  }

  it.each([
    'cat fixtures/linked/key',
    'cat fixtures/env',
    'cat fixtures/../.env',
    'cat fixtures/deep/../../.env',
    'cd fixtures/deep && cat ../../.env',
    'cat fixtures/key .env',
    'cat fixtures/key "$X"',
    'cat fixtures/$X',
    'cat fixtures/*',
    'cat fixtures/{key,../.env}',
    'cat FIXTURES/key',
    'cat fixtures/key > .env',
    'cat < .env fixtures/key',
    'cat fixtures/key; cat .env',
    'cat fixtures/key | bash',
    'cat fixtures/key | tee .env',
    'sudo cat fixtures/key',
    'ssh host cat fixtures/key',
    'xargs cat < fixtures/key',
    'bash fixtures/key | cat .env',
    'bash fixtures/key <<< "rm -rf ~"',
    'cat fixtures/key - <<< "$X"',
    'HOME=/x cat fixtures/key',
    'ln -s ../.env fixtures/new && cat fixtures/new',
    'cp .env fixtures/key && cat fixtures/key',
    'cat',
  ])('does not cover %s', async (command) => {
    const all = ['Bash(cat *)', 'Bash(sudo *)', 'Bash(xargs *)', 'Bash(bash *)']
    expect(await leftOf(all, [{ path: 'fixtures/**' }], callOf(command, project()))).not.toBe('none')
  })

  it('does not cover a search for names that only a pattern tells', async () => {
    const folder = project()
    const found = (glob?: string) =>
      callOf({ tool: 'Grep', path: join(folder, 'fixtures'), ...(glob && { glob }) }, folder)
    expect(await leftOf(['Grep'], [{ path: 'fixtures/**' }], found())).toBe('none')
    expect(await leftOf(['Grep'], [{ path: 'fixtures/**' }], found('../*'))).toBe('deny')
    expect(await leftOf(['Grep'], [{ path: 'fixtures/**' }], found('deep/*'))).toBe('deny')
  })

  it('covers the reading of it', async () => {
    const event = callOf('cat fixtures/key | head -3', project())
    expect(await leftOf(['Bash(cat *)'], [{ path: 'fixtures/**' }], event)).toBe('none')
  })

  it('does not cover a tool that may do anything with it', async () => {
    const event = callOf({ tool: 'mcp__files__read', path: `${root}/fixtures/key` })
    expect(await leftOf(['mcp__files__read'], [{ path: 'fixtures/**' }], event)).toBe('deny')
  })
})

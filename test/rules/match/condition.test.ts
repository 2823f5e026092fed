import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import type { ToolUse, HookEvent } from '../../../src/model/event.ts'
import { limits, shellLimits } from '../../../src/model/limits.ts'
import { toolKind } from '../../../src/agents/tool-names.ts'
import { databases } from '../../../src/facts/programs/families/databases.ts'
import { windowsShells } from '../../../src/facts/programs/families/powershell.ts'
import { shells } from '../../../src/facts/programs/families/shells.ts'
import { programRows } from '../../../src/facts/programs/table.ts'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import { conditionMet, parseCondition } from '../../../src/rules/match/condition.ts'
import { shellEvent } from '../../support/plans.ts'
import { runsOf } from '../../support/sample.ts'

const home = '/home/someone'
const root = '/home/someone/project'

function met(
  rule: string,
  call: Partial<ToolUse> & { name: string },
  agent: KnownAgent = 'claude-code',
  cwd = root,
): boolean {
  const condition = parseCondition(rule, ['PreToolUse'], home)
  if (condition === undefined) return true
  if ('kind' in condition) throw new Error(condition.message)
  const tool: ToolUse = { kind: toolKind(agent, call.name), input: {}, ...call }
  const event: HookEvent = { ...shellEvent, agent, tool, session: { id: 's', cwd }, workspaceRoots: [root] }
  const around = { cwd, home, workspaceRoots: [root] }
  return conditionMet(condition, event, tool.command === undefined ? undefined : shellFacts(tool.command, around))
}

const runs = (rule: string, command: string) => met(rule, { name: 'Bash', command })
const touches = (rule: string, name: string, path: string, cwd = root) => met(rule, { name, path }, 'claude-code', cwd)

const nested = (depth: number) => `${'echo $('.repeat(depth)}ls${')'.repeat(depth)}`
const quoted = (letter: string) =>
  fc.constantFrom(letter, `\\${letter}`, `'${letter}'`, `"${letter}"`, `""${letter}`, `\\\n${letter}`)

function refusal(rule: string, event: 'PreToolUse' | 'Stop' = 'PreToolUse'): string | undefined {
  const condition = parseCondition(rule, [event], home)
  return condition !== undefined && 'kind' in condition ? `${condition.message}; ${condition.remedy}` : undefined
}

describe('an `if` on a shell command', () => {
  it.each(['Bash', 'Bash()', 'Bash(*)', ''])('that is %j matches every command', (rule) => {
    expect(runs(rule, 'anything --at all')).toBe(true)
    expect(runs(rule, '')).toBe(true)
  })

  it.each(['Bash(git *)', 'Bash(git:*)', 'Bash(git*)'])('that is %j matches git with and without arguments', (rule) => {
    expect(runs(rule, 'git')).toBe(true)
    expect(runs(rule, 'git status')).toBe(true)
    expect(runs(rule, 'git  push   --force')).toBe(true)
    expect(runs(rule, 'echo git')).toBe(false)
    expect(runs(rule, 'ls')).toBe(false)
  })

  it('with a blank before the star matches no longer name', () => {
    expect(runs('Bash(git *)', 'gitk')).toBe(false)
    expect(runs('Bash(git*)', 'gitk')).toBe(true)
    expect(runs('Bash(git)', 'git')).toBe(true)
    expect(runs('Bash(git)', 'git push')).toBe(false)
  })

  it('may have stars anywhere, and a literal star behind a backslash', () => {
    expect(runs('Bash(git * --force)', 'git push origin --force')).toBe(true)
    expect(runs('Bash(git * --force)', 'git push origin')).toBe(false)
    expect(runs('Bash(* --version)', 'node --version')).toBe(true)
    expect(runs('Bash(ls \\*)', "ls '*'")).toBe(true)
    expect(runs('Bash(ls \\*)', 'ls a')).toBe(false)
  })

  it.each([
    'rm',
    'rm x',
    'A=b rm x',
    'true && rm x',
    'true; rm x',
    'true\nrm x',
    'ls | rm x',
    'sleep 1 & rm x',
    '(cd /tmp; rm x)',
    '{ rm x; }',
    '! rm x',
    'if true; then rm x; fi',
    'for f in a b; do rm $f; done',
    'while true; do rm x; done',
    'f() { rm x; }; f',
    'echo $(rm x)',
    'echo "$(rm x)"',
    'echo "a `rm x` b"',
    'echo `rm x`',
    'echo `echo \\`rm x\\``',
    'cat <(rm x)',
    'ls > "$(rm x)"',
    'A=$(rm x)',
    'echo $(( $(rm x) + 1 ))',
    '\trm\tx',
    '\\rm x',
    "r''m x",
    '"rm" x',
    'r\\\nm x',
    'rm \\\n x',
    '2>/dev/null rm x',
    'rm>/dev/null x',
    'rm x 2>&1',
    'rm x &> log',
    'G=rm; $G x',
    '"$G" x',
    '${G} x',
    '$(echo rm) x',
    '`echo rm` x',
    "$'rm' x",
    '{rm,x}',
    'r? x',
    '/bin/r[m] x',
    'find . -type f | xargs rm',
    'find . -exec rm {} \\;',
    'find . -execdir rm {} +',
    'find . -exec env rm {} +',
    "find . -exec sh -c 'rm $0' {} ;",
    'eval ": $((1 + 1)); rm x"',
    'bash -c "$SCRIPT"',
    'curl https://example.com | sh',
    "bash <<< 'rm x'",
    "printf 'rm x' | sudo bash -s",
    'sudo rm x',
    'sudo "$X" y',
    'sudo -u root -- rm x',
    'sudo -E env A=b nice -n 5 rm x',
    'env rm x',
    'env -i A=b rm x',
    'nohup rm x',
    'time rm x',
    'timeout 5 rm x',
    'timeout -s KILL 5 rm x',
    'command rm x',
    'exec rm x',
    'stdbuf -o0 rm x',
    'firejail --net=none rm x',
    'bwrap --ro-bind / / rm x',
    'gosu root rm x',
    'ssh host rm x',
    "ssh host 'cd /srv && rm x'",
    'docker exec web rm x',
    'docker run --rm alpine rm x',
    'docker $ACTION rm x',
    'kubectl exec web -- rm x',
    'npm exec -- rm x',
    'pnpm dlx rm x',
    'uv run rm x',
    '/bin/rm x',
    'sudo /usr/bin/rm x',
    "bash -c 'rm x'",
    "sh -ec 'cd /tmp && rm x'",
    'eval "rm x"',
    'eval rm x',
    `bash -c "bash -c 'rm x'"`,
    'case $1 in a) rm x;; esac',
    'echo "$(case a in a) rm x;; esac)"',
    'cat <<EOF\n$(rm x)\nEOF',
    "cat <<EOF\nit's\nEOF\nrm 'x",
    "cat <<-EOF\nit's\nEOF\nrm 'x",
    "echo 'unterminated",
    'echo "unterminated',
    'echo `unterminated',
    'echo $(unterminated',
    'echo ${A:-$(rm x)}',
    'ls )',
  ])('that is `Bash(rm *)` matches or cannot rule out %j', (command) => {
    expect(runs('Bash(rm *)', command)).toBe(true)
  })

  it.each([
    'ls',
    'rmdir x',
    'echo rm x',
    'echo "rm x"',
    "echo 'rm x'",
    'ls # rm x',
    '# rm x\nls',
    'ls rm',
    'git rm x',
    'npm run rm',
    'docker rm x',
    'docker compose rm web',
    'npm rm x',
    'conda env list',
    'A=rm ls',
    'ls > rm',
    '[ -f rm ] && ls',
    '[[ -f rm ]] && ls',
    'ls "$(pwd)"',
    'ls $HOME',
    'ls ${HOME}/x ${A:-b}',
    'ls *.txt',
    'ls a{b,c}',
    'find . -name "rm"',
    'find . -exec ls rm {} +',
    'bash build.sh rm.txt',
    'sudo ls -l x',
    'find . -name *.rm -delete',
    'echo $((1 + 2))',
    'cat <<< "rm x"',
    'echo a >&2',
    '2>&1 ls',
    '',
  ])('that is `Bash(rm *)` rules out %j', (command) => {
    expect(runs('Bash(rm *)', command)).toBe(false)
  })

  it('of several words matches what may expand to them', () => {
    expect(runs('Bash(git push *)', 'git push origin main')).toBe(true)
    expect(runs('Bash(git push *)', 'cd x && time git push')).toBe(true)
    expect(runs('Bash(git push *)', 'git $(echo push)')).toBe(true)
    expect(runs('Bash(git push *)', 'git $ARGS')).toBe(true)
    expect(runs('Bash(git push *)', 'G=git; $G push')).toBe(true)
    expect(runs('Bash(git push *)', 'git status')).toBe(false)
    expect(runs('Bash(git push *)', 'ls $(pwd)')).toBe(false)
    expect(runs('Bash(npm run test)', 'npm run test')).toBe(true)
    expect(runs('Bash(npm run test)', 'npm run test:unit')).toBe(false)
  })

  it('may be written as the command is, quotes, assignments and operators included', () => {
    expect(runs('Bash(git commit -m "fix*")', 'git commit -m "fix it"')).toBe(true)
    expect(runs('Bash(CI=1 npm *)', 'CI=1 npm test')).toBe(true)
    expect(runs('Bash(npm run build && npm test)', 'npm run build && npm test')).toBe(true)
  })

  it('cannot be ruled out for commands that are too long or too deep to parse', () => {
    expect(runs('Bash(rm *)', `echo ${'x'.repeat(limits.conditionSubjectCharactersMax)}`)).toBe(true)
    expect(runs('Bash(rm *)', nested(shellLimits.depthMax / 4))).toBe(false)
    expect(runs('Bash(rm *)', nested(shellLimits.depthMax + 1))).toBe(true)
  })

  it('cannot be ruled out for a program of any kind that is fed a file, if it cannot be for one that is fed a pipe', () => {
    const clients = new Set(Object.values(databases.programs))
    const forms = ['', ' x', ' -', ' -s'].flatMap((tail) =>
      programRows().flatMap(([name, row]) => (clients.has(row) ? [] : [`${name}${tail}`])),
    )
    const missed = forms.filter(
      (form) => !runs('Bash(git push *)', `${form} < s`) && runs('Bash(git push *)', `cat s | ${form}`),
    )
    expect(missed).toEqual([])
  })

  const allShells = [shells, windowsShells].flatMap(({ programs }) =>
    Object.keys(programs).flatMap((names) => names.split(' ')),
  )
  it.each([
    ...allShells.map((shell) => `${shell} < s`),
    'source < s',
    'su me < s',
    'ssh host < s',
    'at now < s',
    'python3 < s',
    'node - < s',
    'chroot /x < s',
    'perl 0< s',
    'yash -s < s',
    'oksh - < s',
    '(lksh) < s',
    'sudo yash < s',
    'busybox ash < s',
    'exec < s; xonsh',
    'bash <> s',
    'cmd.exe < s.bat',
    'cat s | oksh',
  ])('cannot be ruled out for a shell that is fed a file: %s', (command) => {
    expect(runs('Bash(git push *)', command)).toBe(true)
  })

  it.each([
    'wc -l < s',
    'jq . < s',
    'psql < s.sql',
    'oksh -n < s',
    'yash --help < s',
    'python3 x.py < s',
    'ssh host ls < s',
    'su me -c ls < s',
    'fish -c ls < s',
    '. x < s',
  ])('is ruled out for what only reads a file: %s', (command) => {
    expect(runs('Bash(git push *)', command)).toBe(false)
  })

  it('is met by a subcommand behind options of the program', () => {
    expect(runs('Bash(git push *)', 'git -C d push')).toBe(true)
    expect(runs('Bash(kubectl delete *)', 'kubectl --context prod delete pod x')).toBe(true)
    expect(runs('Bash(acme wipe *)', 'acme --site a wipe all')).toBe(true)
    expect(runs('Bash(git push *)', 'git -C push status')).toBe(false)
  })

  it('is not matched against PowerShell as another shell would parse it', () => {
    expect(met('PowerShell(rm *)', { name: 'PowerShell', command: 'Get-ChildItem' })).toBe(true)
  })

  it('matches the shell of every agent, and a call of unknown command', () => {
    expect(met('Bash(git *)', { name: 'execute_command', command: 'git push' }, 'cline')).toBe(true)
    expect(met('execute_command(git *)', { name: 'Bash', command: 'git push' })).toBe(true)
    expect(met('shell(git *)', { name: 'Bash', command: 'ls' })).toBe(false)
    expect(met('Bash(git *)', { name: 'Bash' })).toBe(true)
    expect(met('Bash', { name: 'Write', path: 'x' })).toBe(false)
  })

  it('finds a program behind any quoting of its letters and any run of assignments', () => {
    const program = fc.tuple(quoted('r'), quoted('m')).map((letters) => letters.join(''))
    const before = fc.array(
      fc.constantFrom('A=1 ', 'B="x y" ', 'true; ', 'ls | ', '( ', '! ', '>out ', 'sudo -n ', 'if '),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(before, program, (prefixes, name) => {
        // A keyword behind an assignment, a redirection or a program is a plain word.
        fc.pre(!/(?:[="]\S*|>out|-n) (?:!|if) /.test(prefixes.join('')))
        expect(runs('Bash(rm *)', `${prefixes.join('')}${name} -rf x`)).toBe(true)
      }),
    )
  })

  it('accepts any text', () => {
    const shellish = fc.array(
      fc.constantFrom(...' \n\t\'"`\\$(){}[]<>|&;#*?!=~ab1'.split(''), '$(', '${', '<<', 'case ', ' in '),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(shellish, (parts) => {
        expect(typeof runs('Bash(rm *)', parts.join(''))).toBe('boolean')
      }),
      { numRuns: runsOf(2000) },
    )
  })
})

describe('an `if` on a file', () => {
  it.each([
    ['Edit(*.ts)', 'Edit', 'a.ts', true],
    ['Edit(*.ts)', 'Edit', `${root}/src/deep/a.ts`, true],
    ['Edit(*.ts)', 'Edit', 'a.tsx', false],
    ['Edit(*.ts)', 'Edit', 'src/.hidden.ts', true],
    ['Edit(**/src/**)', 'Edit', 'packages/one/src/deep/a.ts', true],
    ['Edit(**/src/**)', 'Edit', 'src/a.ts', true],
    ['Edit(**/src/**)', 'Edit', 'mysrc/a.ts', false],
    ['Edit(**/src/**)', 'Edit', '.git/src/.x', true],
    ['Write(src/**)', 'Write', 'src/a/b.ts', true],
    ['Write(src/**)', 'Write', `${root}/src/a.ts`, true],
    ['Write(src/**)', 'Write', 'lib/src/a.ts', false],
    ['Write(src/*.ts)', 'Write', 'src/a.ts', true],
    ['Write(src/*.ts)', 'Write', 'src/a/b.ts', false],
    ['Write(src/a?.ts)', 'Write', 'src/ab.ts', true],
    ['Write(src/a[bc].ts)', 'Write', 'src/ab.ts', true],
    ['Write(src/*.{ts,js})', 'Write', 'src/a.js', true],
    ['Write(src/a\\*.ts)', 'Write', 'src/a*.ts', true],
    ['Write(src/a\\*.ts)', 'Write', 'src/ab.ts', false],
    ['Read(.env)', 'Read', '.env', true],
    ['Read(.env)', 'Read', 'packages/one/.env', true],
    ['Read(.env)', 'Read', '/elsewhere/.env', true],
    ['Read(./.env)', 'Read', '.env', true],
    ['Read(.env)', 'Read', '.ENV', true],
    ['Read(.env)', 'Read', '.env.example', false],
    ['Read(.env)', 'Read', 'src/../.env', true],
    ['Read(.env*)', 'Read', '.env.local', true],
    ['Read(//etc/**)', 'Read', '/etc/ssh/sshd_config', true],
    ['Read(//etc/**)', 'Read', `${root}/etc/x`, false],
    ['Read(/etc/**)', 'Read', '/etc/passwd', false],
    ['Read(/etc/**)', 'Read', `${root}/etc/x`, true],
    ['Read(~/.ssh/**)', 'Read', '/home/someone/.ssh/id_ed25519', true],
    ['Read(~/.ssh/**)', 'Read', '../.ssh/id_ed25519', true],
    ['Read(~/.ssh/**)', 'Read', '/root/.ssh/id_ed25519', false],
    ['Read(node_modules)', 'Read', 'node_modules/a/index.js', true],
    ['Read(secrets/)', 'Read', 'a/secrets/b', true],
    ['Read(**)', 'Read', '/anywhere/at/all', true],
    ['Edit(src/**)', 'Write', 'src/a.ts', false],
    ['Grep(secrets/**)', 'Grep', '.', true],
    ['Grep(secrets/**)', 'Grep', 'src', false],
    ['Glob(secrets/**)', 'Glob', 'secrets', true],
  ])('%s and %s %s: %s', (rule, tool, path, expected) => {
    expect(touches(rule, tool, path)).toBe(expected)
  })

  it('for the project still matches when the agent changes into a folder', () => {
    expect(touches('Write(src/**)', 'Write', `${root}/src/a.ts`, `${root}/docs`)).toBe(true)
    expect(touches('Write(src/**)', 'Write', 'src/a.ts', `${root}/docs`)).toBe(true)
  })

  it('matches a call over several files if any of them fits, and one that names none', () => {
    expect(met('Read(.env)', { name: 'Read', path: 'a', paths: ['a', '.env'] })).toBe(true)
    expect(met('Read(.env)', { name: 'Read', path: 'a', paths: ['a', 'b'] })).toBe(false)
    expect(met('Grep(.env)', { name: 'Grep' })).toBe(true)
  })

  it('matches the same tool of another agent', () => {
    expect(met('Edit(*.ts)', { name: 'replace_in_file', path: 'src/a.ts' }, 'cline')).toBe(true)
    expect(met('Edit(*.ts)', { name: 'replace_in_file', path: 'src/a.md' }, 'cline')).toBe(false)
  })

  it('takes bounded time for a pattern of many stars', () => {
    // The test's own time limit is the assertion: minimatch needs minutes for this one.
    expect(touches(`Read(/${'*a'.repeat(200)}b)`, 'Read', 'a'.repeat(10_000))).toBe(false)
  })
})

describe('an `if` on other tools', () => {
  it.each([
    ['WebFetch(domain:example.com)', 'https://example.com/a', true],
    ['WebFetch(domain:example.com)', 'https://EXAMPLE.com.:8080/', true],
    ['WebFetch(domain:example.com)', 'example.com/a', true],
    ['WebFetch(domain:example.com)', 'https://example.com.evil.org/', false],
    ['WebFetch(domain:example.com)', 'https://evil.org/example.com', false],
    ['WebFetch(domain:*.example.com)', 'https://a.example.com/', true],
    ['WebFetch(domain:example.com)', 'example.com:8080/a', true],
    ['WebFetch(domain:example.com)', 'http://[', true],
    ['WebFetch(domain:example.com)', 'file:///etc/passwd', true],
  ])('%s and %s: %s', (rule, url, expected) => {
    expect(met(rule, { name: 'WebFetch', url })).toBe(expected)
    expect(met(rule, { name: 'web_fetch', url }, 'cline')).toBe(expected)
  })

  it('is matched against the texts of their input', () => {
    const call = { name: 'Agent', input: { subagent_type: 'Explore', prompt: 'look around' } }
    expect(met('Agent(Explore)', call)).toBe(true)
    expect(met('Agent(Plan)', call)).toBe(false)
    expect(met('Skill(deploy *)', { name: 'Skill', input: { skill: 'deploy' } })).toBe(true)
    expect(met('Skill(deploy *)', { name: 'Skill', input: {} })).toBe(true)
  })

  it('may name an MCP server, with or without its tools', () => {
    const call = { name: 'mcp__notes__write_note' }
    for (const rule of ['mcp__notes', 'mcp__notes__*', 'mcp__notes__write_note']) expect(met(rule, call)).toBe(true)
    for (const rule of ['mcp__note', 'mcp__notes__read_note', 'Bash']) expect(met(rule, call)).toBe(false)
  })
})

describe('an `if` that would never let its hook run is refused', () => {
  it.each([
    ['Bash(git *', /not a permission rule.*such as `Bash\(git push \*\)`/],
    ['*', /not a permission rule/],
    ['(git *)', /not a permission rule/],
    ['Bash(git *), Bash(rm *)', /not a permission rule/],
    ['Bash(git *) || true', /not a permission rule/],
    ['Bash*', /must name one tool/],
    ['BASH(git *)', /there is no tool `BASH`; write `Bash`/],
    ['WebFetch(https://example.com/*)', /not a rule for fetching.*WebFetch\(domain:example.com\)/],
    [`Bash(${'x'.repeat(limits.matcherCharactersMax)})`, /longer than/],
  ])('%j', (rule, message) => {
    expect(refusal(rule)).toMatch(message)
  })

  it('and so is any at an event without a tool', () => {
    expect(refusal('Bash(git *)', 'Stop')).toMatch(/would never run; remove it/)
    expect(refusal('', 'Stop')).toBeUndefined()
  })

  it('but not one with its own parentheses', () => {
    expect(refusal('Bash(echo (a) \\))')).toBeUndefined()
    expect(refusal('TaskCreate')).toBeUndefined()
  })
})

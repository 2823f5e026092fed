import { describe, expect, it } from 'vitest'
import { openOldText } from '../../src/facts/text-changes.ts'
import { stuckRoots } from '../../src/facts/timed-lookups.ts'
import { toolFacts } from '../../src/facts/tool-facts.ts'
import { limits } from '../../src/model/limits.ts'
import type { ToolFacts } from '../../src/model/tool-facts.ts'
import { protectedUser, refused } from '../support/self-protection.ts'

// An agent that changes a protected file by a patch, which the program that applies it reads otherwise than hookgate might.

/** Every character of Unicode's `White_Space`, which Rust's `trim` removes, and what JavaScript's removes besides. */
const blanks = [0x09, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]
  .concat(Array.from({ length: 11 }, (_, at) => 0x2000 + at))
  .map((code) => String.fromCodePoint(code))

const target = '.claude/settings.json'
const envelope = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
const unified = `--- a/${target}\n+++ b/${target}\n@@ -1 +1 @@\n-{}\n+{"hooks":{}}\n`
const plain = `--- ${target}\n+++ ${target}\n@@ -1 +1 @@\n-{}\n+{"hooks":{}}\n`
const document = (command: string, text: string) => `${command} <<'EOF'\n${text}EOF\n`

async function answered(agent: 'codex' | 'copilot-cli', tool_name: string, tool_input: unknown) {
  const { gate, project } = protectedUser({}, agent)
  const wire = { session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name, tool_input }
  const { verdict } = await gate.answer(JSON.stringify(wire), { agent })
  return { decision: verdict?.decision, by: verdict?.determining, reason: verdict?.reason }
}

describe('a patch of Codex that names a protected file is refused', () => {
  it.each(blanks.map((blank) => [`U+${blank.codePointAt(0)?.toString(16).padStart(4, '0')}`, blank]))(
    'behind %s',
    async (_, blank) => {
      const headers = [
        [`${blank}*** Update File: ${target}`, '@@', '-{}', '+x'],
        [`${blank}${blank}*** Add File: ${target}${blank}`, '+x'],
        [`\t${blank}*** Delete File: ${target}`],
        ['*** Update File: src/a.ts', `${blank}*** Move to: ${target}`, '@@', '-a', '+b'],
        ['*** Update File: src/a.ts', '@@', '-a', '+b', `${blank}*** Delete File: ${target}`],
      ]
      const answers = headers.map((lines) => answered('codex', 'apply_patch', { command: envelope(...lines) }))
      expect(await Promise.all(answers)).toEqual(headers.map(() => refused))
    },
  )

  it.each([
    ['behind white space before the patch', `\n\t${envelope(`*** Add File: ${target}`, '+x')}`],
    ['without a blank behind the colon', envelope(`*** Add File:${target}`, '+x')],
    ['with a colon at its end', envelope(`*** Add File: ${target}:x`, '+x')],
    ['in a heredoc that no shell has read', `<<'EOF'\n${envelope(`*** Add File: ${target}`, '+x')}EOF`],
    ['with the line ends of Windows', envelope(`*** Add File: ${target}`, '+x').replaceAll('\n', '\r\n')],
    ['behind the patch’s end', `${envelope('*** Add File: a', '+x')}*** Add File: ${target}\n+x\n*** End Patch`],
  ])('%s', async (_, command) => {
    expect(await answered('codex', 'apply_patch', { command })).toEqual(refused)
  })

  it('under a key that the tool’s other surface has', async () => {
    const patch = envelope(`*** Add File: ${target}`, '+x')
    expect(await answered('codex', 'apply_patch', { input: patch })).toEqual(refused)
  })

  it.each(['Edit', 'Write', 'edit', 'create', 'apply_patch'])('as Copilot’s `%s`', async (tool) => {
    const patch = envelope(` *** Update File: ${target}`, '@@', '-{}', '+x')
    const inputs = [patch, JSON.stringify(patch), { input: patch }, { patch }]
    const answers = inputs.map((input) => answered('copilot-cli', tool, input))
    expect(await Promise.all(answers)).toEqual(inputs.map(() => refused))
  })

  it('and no other patch is', async () => {
    const patch = envelope(` *** Update File: src/a.ts`, '@@', ` *** ${target}`, '+x')
    expect(await answered('codex', 'apply_patch', { command: patch })).toMatchObject({ decision: 'abstain' })
    expect(await answered('copilot-cli', 'Edit', patch)).toMatchObject({ decision: 'abstain' })
    const file = { path: 'fixtures/a.patch', file_text: envelope(`*** Add File: ${target}`, '+x') }
    expect(await answered('copilot-cli', 'Write', file)).toMatchObject({ decision: 'abstain' })
  })
})

describe('a patch in the shell that names a protected file is refused', () => {
  const patch = envelope(` *** Update File: ${target}`, '@@', '-{}', '+x')
  it.each([
    ['given to apply_patch', document('apply_patch', patch)],
    ['given to applypatch, as its operand', `applypatch '${patch}'`],
    [
      'given to apply_patch in another folder',
      `cd src && ${document('apply_patch', patch.replace('.claude', '../.claude'))}`,
    ],
    ['given to apply_patch in another shell', `bash -lc "$(cat <<'X'\n${document('apply_patch', patch)}X\n)"`],
    ['given to patch', document('patch -p1', unified)],
    ['given to patch by a pipe', `printf %s '${plain}' | patch -p0`],
    ['given to patch as a file', `${document('cat > /tmp/x.diff', plain)}patch -p0 -i /tmp/x.diff`],
    ['given to patch as its second operand', `${document('cat > /tmp/x.diff', 'x\n')}patch ${target} /tmp/x.diff`],
    ['given to patch in its folder', document(`patch -d .claude`, plain)],
    ['given to patch in another folder', document('patch -p0 -d src/..', plain)],
    ['given to patch, reversed', document('patch -R -p1', unified)],
    ['given to patch, indented', document('patch -p0', plain.replaceAll(/^(?=.)/gm, '   '))],
    ['given to patch, behind crosses', document('patch -p0', plain.replaceAll(/^(?=.)/gm, 'X'))],
    ['given to patch by its index', document('patch -p0', `Index: ${target}\n1c1\n< {}\n---\n> x\n`)],
    [
      'given to patch as a context diff',
      document('patch -p0', `*** ${target}\n--- ${target}\n***************\n*** 1 ****\n! {}\n--- 1 ----\n! x\n`),
    ],
    ['given to patch as commands of ed', document('patch -e -p0', `Index: ${target}\n1c\nx\n.\n`)],
    ['given to patch with a date', document('patch -p0', plain.replaceAll('json\n', 'json 2026-01-01 10:00:00\n'))],
    ['given to git', document('git apply -', unified)],
    ['given to git without a dash', document('git apply', unified)],
    ['given to git in a folder', document('git -C src/.. apply', unified)],
    ['given to git for a folder', document('git apply --directory=.claude', unified.replaceAll('.claude/', ''))],
    ['given to git below the top', `cd src && ${document('git am', unified)}`],
    ['given to git by its parts', document('git apply -p0', plain)],
    ['given to git as a file', `echo '${unified}' > p && git apply --whitespace=nowarn p`],
    ['given to git as one of several files', `echo x > o; ${document('tee p', unified)}git apply o p`],
    [
      'given to git as a mail',
      `${document('cat > m', `From: x\nSubject: y\n\n@@ -1,99 +1,99 @@\n---\n${unified}`)}git am m`,
    ],
    [
      'given to git quoted',
      document('git apply', unified.replaceAll(/[ab]\/(\S+)s\.json/g, '"$&"').replaceAll('set', '\\163et')),
    ],
    [
      'given to git as another’s new name',
      document('git apply', `diff --git a/x b/${target}\nrename from x\nrename to ${target}\n`),
    ],
    [
      'given to git as an empty file',
      document('git apply', `diff --git a/${target} b/${target}\nnew file mode 100644\n`),
    ],
    [
      'given to git as a deletion',
      document('git apply', `diff --git a/${target} b/${target}\ndeleted file mode 100644\n`),
    ],
    ['given to git behind another', document('git apply', `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n${unified}`)],
    [
      'given to git behind lines that look like a hunk',
      document('git apply', `1a\n@@ -1,9 +1,9 @@\n@@ -1,9 +1,9 @@\n${unified}`),
    ],
    ['given to git behind an indented hunk', document('git apply', `  --- a\n  +++ a\n  @@ -1,9 +1,9 @@\n${unified}`)],
    [
      'given to patch as a normal diff behind a hunk',
      document('patch -n -p0', `--- a\n+++ a\n@@ -1,9 +1,9 @@\nIndex: ${target}\n1c1\n< {}\n---\n> x\n`),
    ],
    [
      'given to patch behind a hunk that ed puts in',
      document('patch -p0', `Index: a\n1c\n--- a\n+++ a\n@@ -1,9 +1,9 @@\n.\nIndex: ${target}\n1c\nx\n.\n`),
    ],
    [
      'given to patch behind a tab that is eight columns',
      document('patch -p0', `        --- a\n        +++ a\n        @@ -1,2 +1,2 @@\n\t  +x\n\t  +x\n\t +x\n${plain}`),
    ],
    [
      'given to patch with the line ends of Windows',
      document('patch -p0', `--- a\n+++ a\n@@ -1 +1 @@\r\n +x\r\n${plain}`),
    ],
    ['given to ed', document('ed -s src/a.ts', `,d\na\n{}\n.\nw ${target}\nq\n`)],
    ['given to ed as the file that is opened', document('ed', `e ${target}\n,s/x/y/\nw\nq\n`)],
    ['given to ed with a range', document('ed -s src/a.ts', `1,$w ${target}\n`)],
    ['given to ed, appended', document('red src/a.ts', `/x/,+2W ${target}\n`)],
    ['given to ex', document('ex -s src/a.ts', `silent! %s/x/y/ | w! ${target}\nq\n`)],
    ['given to ex behind a change of its folder', document('ex -s', `cd ~/.claude\ne settings.json\nwq\n`)],
    ['given to ex for its own file', document(`ex -s ${target}`, '%d\nx\n')],
    ['given to vim', `vim -es src/a.ts -c 'g/x/s//y/' -c 'saveas! ${target}' -c q`],
    ['given to vim with its first command', `nvim --headless +'1,5write ++bin ~/.claude/settings.json' +q src/a.ts`],
    ['given to vim as a script', `${document('cat > s.vim', `keepalt wq! ${target}\n`)}vim -es -S s.vim src/a.ts`],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it.each([
    ['of another file', document('git apply', unified.replaceAll(target, 'src/a.ts'))],
    ['that is only shown', document('git apply --stat', unified)],
    ['that is only tried', document('patch --dry-run -p1', unified)],
    [
      'whose lines look like names',
      document('git apply', `--- a/x.diff\n+++ b/x.diff\n@@ -1,2 +1,2 @@\n--- ${target}\n-a\n+++ ${target}\n+b\n`),
    ],
    ['that is written and not applied', document('cat > fixtures/a.patch', unified)],
    ['whose folder is another one', document('patch -p1 -d src', unified)],
  ])('but not one %s', async (_, command) => {
    expect(await protectedUser().command(command)).toMatchObject({ decision: 'abstain' })
  })
})

const base64 = (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{60}/g, '$&\n')
const mail = (encoding: string, body: string, more = '') =>
  `From 0123456789 Mon Sep 17 00:00:00 2001\nFrom: a <a@x.example>\nSubject: [PATCH] b\n${more}Content-Transfer-Encoding: ${encoding}\n\n${body}\n`
const inParts = (part: string) =>
  `From: a\nSubject: b\nContent-Type: multipart/mixed; boundary="xx"\n\n--xx\nContent-Type: text/plain\n\nc\n--xx\nContent-Type: text/x-patch\n${part}\n--xx--\n`
const elsewhere = unified.replaceAll(target, 'src/a.ts')

describe('a patch in a mail that is encoded, or for another program than git', () => {
  it.each([
    ['in base64', document('git am', mail('base64', base64(unified)))],
    ['in base64, from a file', `${document('cat > m', mail('base64', base64(unified)))}git am m`],
    ['in base64 behind a folded header', document('git am', mail('base64', base64(unified), 'X-A: b\n\tc\n'))],
    [
      'in base64 with the line ends of Windows',
      document('git am', mail('BASE64', base64(unified)).replaceAll('\n', '\r\n')),
    ],
    ['quoted-printable', document('git am', mail('quoted-printable', unified.replaceAll('settings', 'set=74=\nings')))],
    [
      'quoted-printable, in small and large letters',
      document('git am -3', mail('Quoted-Printable', unified.replaceAll('.claude', '=2Eclaude'))),
    ],
    ['as an attachment', document('git am', inParts(`Content-Transfer-Encoding: base64\n\n${base64(unified)}`))],
    [
      'as an attachment that is quoted',
      document('git am', inParts(`content-transfer-encoding: quoted-printable\n\n${unified.replaceAll('=', '=3D')}`)),
    ],
    ['in the second of two mails', document('git am', mail('7bit', elsewhere) + mail('base64', base64(unified)))],
    ['given to hg', document('hg import -', unified)],
    ['given to hg without a commit', document('hg import --no-commit -p1 -', unified)],
    ['given to hg as a file', `${document('cat > p', unified)}hg import p`],
    ['given to hg by its parts', `${document('cat > p', plain)}hg import -p 0 p`],
    ['given to hg for a folder', document('hg import --prefix .claude -', unified.replaceAll('.claude/', ''))],
    ['given to hg by another name', document('hg --cwd src patch -', unified)],
    ['given to hg in base64', document('hg import -', mail('base64', base64(unified)))],
    ['given to sl', document('sl import -', unified)],
    ['given to svn', `${document('cat > p', plain)}svn patch p`],
    [
      'given to svn for a folder',
      `${document('cat > p', unified.replaceAll('.claude/', ''))}svn patch --strip 1 p .claude`,
    ],
    ['given to StGit', document('stg import', unified)],
    ['given to busybox', document('busybox patch -p1', unified)],
  ])('is refused %s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it.each([
    ['of another file, in base64', document('git am', mail('base64', base64(elsewhere)))],
    ['of another file, quoted', document('git am', mail('quoted-printable', elsewhere))],
    ['that is not encoded as it says', document('git am', mail('base64', '%%%'))],
    ['of another file, for hg', document('hg import -', elsewhere)],
    ['that svn only tries', `${document('cat > p', plain)}svn patch --dry-run p`],
  ])('passes %s', async (_, command) => {
    expect(await protectedUser().command(command)).toMatchObject({ decision: 'abstain' })
  })
})

describe('a patch that an earlier call has written', () => {
  const at = (file: string) => `home/work/project/${file}`
  const files = {
    [at('fix.patch')]: unified,
    [at('plain.diff')]: plain,
    [at('fix.mbox')]: mail('base64', base64(unified)),
    [at('codex.txt')]: envelope(`*** Update File: ${target}`, '@@', '-{}', '+x'),
    [at('other.patch')]: elsewhere,
    [at('large.patch')]: elsewhere.repeat(20_000),
    [at('deep/er/fix.patch')]: unified,
    'home/fix.patch': unified,
  }
  it.each([
    'git apply fix.patch',
    'git apply --3way ./fix.patch',
    'git apply other.patch fix.patch',
    'cd src && git apply ../fix.patch',
    'git -C deep apply er/fix.patch',
    'git am fix.mbox',
    'git am < fix.mbox',
    'git apply < fix.patch',
    'cat fix.patch | git apply',
    'git apply <(cat fix.patch)',
    'patch -p1 < fix.patch',
    'patch -p1 -i fix.patch',
    'patch -p0 --input=plain.diff',
    'hg import fix.patch',
    'svn patch plain.diff',
    'apply_patch < codex.txt',
    'apply_patch "$(cat codex.txt)"',
    'bash -c "git apply fix.patch"',
    'for p in other.patch fix.patch; do git apply $p; done',
  ])('is refused as it is applied: %s', async (command) => {
    expect(await protectedUser(files).command(command)).toEqual(refused)
  })

  it.each([
    'git apply other.patch',
    'git apply --check fix.patch',
    'git apply --stat fix.patch',
    'cat fix.patch',
    'git apply missing.patch',
    'git apply large.patch',
    'patch -p1 < other.patch',
    'cp fix.patch x',
  ])('passes where it changes nothing that is protected: %s', async (command) => {
    expect(await protectedUser(files).command(command)).toMatchObject({ decision: 'abstain' })
  })

  it('cannot be judged where the disk that has it does not answer, which refuses the call', async () => {
    const { project } = protectedUser(files)
    const around = { cwd: project, home: project, workspaceRoots: [project] }
    const stuck = stuckRoots()
    const disk = {
      oldText: openOldText(around, stuck),
      realPaths: async (found: ToolFacts['paths']) => ({ found, isCut: false }),
    }
    const judged = (command: string) => toolFacts({ kind: 'shell', paths: [], command }, around, disk)
    await expect(judged('git apply fix.patch')).resolves.toMatchObject({ changes: [{ added: '{"hooks":{}}' }] })
    const { promise, resolve } = Promise.withResolvers<void>()
    stuck.hold(project, promise)
    await expect(judged('git apply fix.patch')).rejects.toThrow('fix.patch could not be read in 1000 ms; try again')
    await expect(judged('git status')).resolves.toMatchObject({ changes: [] })
    resolve()
  })

  it('is looked for in a number of files at most, and those beyond it are not', async () => {
    const names = Array.from({ length: limits.patchesReadMax }, (_, number) => `${number}.patch`)
    const many = Object.fromEntries(names.map((name) => [at(name), elsewhere]))
    const user = protectedUser({ ...files, ...many })
    expect(await user.command(`git apply ${names.slice(1).join(' ')} fix.patch`)).toEqual(refused)
    expect(await user.command(`git apply ${names.join(' ')} fix.patch`)).toMatchObject({ decision: 'abstain' })
  })
})

import { describe, expect, it } from 'vitest'
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

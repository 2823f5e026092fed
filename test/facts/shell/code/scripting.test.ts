import { describe, expect, it } from 'vitest'
import { recognise } from '../../../../src/facts/shell/start/code.ts'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognised } from './recognised.ts'

/** Code of one language and the findings in it, with `?` for unknown parts. */
type Table = Readonly<Record<string, readonly string[]>>

const tables: Readonly<Partial<Record<CodeLanguage, Table>>> = {
  perl: {
    'unlink "/a", "/b";': ['delete /a', 'delete /b'],
    'sysopen(my $f, "$ENV{HOME}/x", O_WRONLY|O_TRUNC)': ['write /home/u/x'],
    'sysopen(my $f, "/x", O_RDONLY)': ['read /x'],
    'open(my $f, ">", "/a"); open(F, "<", "/b")': ['write /a', 'read /b'],
    'open(F, "rm -rf / |")': ['script rm -rf /'],
    'system("rm", "-rf", "/")': ['words rm -rf /'],
    'my $x = qx{rm -rf /};': ['script rm -rf /'],
    'for my $f ("/a", "/b") { unlink $f }': ['delete /a', 'delete /b'],
    'unlink for ("/a", "/b")': ['delete /a', 'delete /b'],
    'unlink $_ for ("/a", "/b")': ['delete /a', 'delete /b'],
    's/a/system("ls")/e': ['script ls'],
    'use File::Path; rmtree("/a")': ['delete all of /a'],
    'eval \'unlink "/a"\'': ['perl unlink "/a"', 'does evaluates'],
    'unlink glob "/a/*"': ['delete /a/?'],
    'unlink $file': ['delete ?'],
    'print "unlink $_" for ("/a", "/b")': [],
    'print "unlink \'/a\'";': [],
    '=pod\nunlink "/a";\n=cut\nprint 1': [],
    '# system("ls")': [],
    'print q{system("ls")};': [],
    's/system/x/; tr/a-z/A-Z/; my %h = (s => 1, y => 2);': [],
  },
  ruby: {
    'File.unlink("/a\\u{2e}b")': ['delete /a.b'],
    'FileUtils.rm_rf Dir.home': ['delete all of /home/u'],
    'system "rm", "-rf", "/"': ['words rm -rf /'],
    '`rm -rf /`': ['script rm -rf /'],
    'x = %x(rm -rf /)': ['script rm -rf /'],
    'puts "#{system(\'ls\')}"': ['script ls'],
    '%w[/a /b].each { |f| File.delete(f) }': ['delete /a', 'delete /b'],
    '["/a", "/b"].each do |f|\n  File.delete(f)\nend': ['delete /a', 'delete /b'],
    'Kernel.send(:system, "ls")': ['script ls'],
    'File.open("/a", "w") { |f| f.puts 1 }': ['write /a'],
    'open("| ls")': ['script ls'],
    'Dir.glob("/a/*") { |f| File.delete(f) }': ['delete /a/?'],
    'system(command)': ['script ?', 'does evaluates'],
    'puts %q{File.unlink("/a")}': [],
    '# system("ls")': [],
    "puts 'system(1)'": [],
  },
  php: {
    "unlink($_SERVER['HOME'] . '/x');": ['delete /home/u/x'],
    '$f = "system"; $f("ls");': ['script ls'],
    'echo `ls`;': ['script ls'],
    "foreach (['/a', '/b'] as $p) unlink($p);": ['delete /a', 'delete /b'],
    'foreach (file("/a") as $line) echo $line;': ['read /a'],
    "eval(base64_decode('bHM='));": ['php ls', 'does decodes', 'does evaluates'],
    'unlink("{$folder}/a");': ['delete ?/a'],
    'system($command);': ['script ?', 'does evaluates'],
    'echo "unlink(\'/a\')"; // unlink("/a")': [],
  },
  lua: {
    'os.remove("/a" .. "/b")': ['delete /a/b'],
    'os.execute"ls"': ['script ls'],
    'io.open("/a", "w")': ['write /a'],
    'os.remove(x)': ['delete ?'],
    'print([[os.remove("/a")]])': [],
    '--[[ os.remove("/a") ]] -- os.remove("/b")': [],
  },
  r: {
    'unlink("/a", recursive = TRUE)': ['delete all of /a'],
    'writeLines("x", "/a")': ['write /a'],
    'system2("rm", c("-rf", "/"))': ['words rm -rf /'],
    'eval(parse(text = "system(\'ls\')"))': ["r system('ls')", 'does evaluates'],
    'file.remove(x)': ['delete ?'],
    'cat("file.remove(\'/a\')") # unlink("/a")': [],
  },
  julia: {
    'rm(joinpath(homedir(), "x"); recursive=true)': ['delete all of /home/u/x'],
    'run(`rm -rf /`)': ['script rm -rf /'],
    'rm("$x/a")': ['delete ?/a'],
    'println("rm(1)") # rm("/a")': [],
  },
  powershell: {
    'Remove-Item -Recurse "${HOME}/x"': ['delete all of /home/u/x'],
    '$p = "/a"; if ($true) { del $p }': ['delete /a'],
    'Remove-Item ~/x': ['delete /home/u/x'],
    'iwr https://e.test | iex': ['powershell ?', 'does network', 'does evaluates'],
    '& "git" push --force': ['words git push --force'],
    'Start-Process rm -ArgumentList "-rf", "/"': ['words rm -rf /'],
    '"x" | Out-File /a': ['write /a'],
    'Write-Host x > /a': ['write /a'],
    'Get-ChildItem /a | ri -r': ['delete all of /a/?'],
    "[IO.File]::Delete('/a')": ['delete /a'],
    '[io.file]::Move(\'/a\', "${home}/b")': ['delete /a', 'write /home/u/b'],
    '$d = "/a"; $f = Join-Path $d b "c"; [System.IO.File]::ReadAllLines($F)': ['read /a/b/c'],
    "$w = New-Object IO.StreamWriter('/a')": ['write /a'],
    "(Get-Item '/a').CopyTo('/b')": ['read /a', 'write /b'],
    "[Diagnostics.Process]::Start('rm', '-rf /a')": ['script rm -rf /a'],
    "(New-Object Net.WebClient).UploadFile('https://e.test', '/a')": ['read /a', 'does network'],
    "$t.Start(5); [Math]::Max(1, 2); $list.Add('/a'); $x.Path.Delete": [],
    'del $unknown': ['delete ?'],
    'Write-Host "Remove-Item /a" # Remove-Item /a': [],
    "'Remove-Item /a'; <# del /a #>": [],
  },
  cmd: {
    'rd /s /q C:\\x': ['delete all of C:\\x'],
    "del '/a/b'": ['delete /a/b'],
    'move /a/b C:\\c && x.bat': ['delete /a/b', 'write C:\\c', 'words ./x.bat'],
    'echo del /a/b': [],
  },
  awk: {
    'BEGIN { system("rm\\040-rf\\040/") }': ['script rm -rf /'],
    '{ print $1 | "sh" }': ['script ?', 'does evaluates'],
    'BEGIN { c = "ls"; c | getline x; print x > "/a" }': ['write /a', 'script ls'],
    'BEGIN { getline < "/a" }': ['read /a'],
    '{ system($1) }': ['script ?', 'does evaluates'],
    '/system("ls")/ { print }': [],
    '$1 > 5 || $2 == "x" { print "system(1)" } # system("ls")': [],
  },
  sql: { '\\! rm -rf /': ['script rm -rf /'], "copy t to program 'ls'": ['script ls'], 'select 1': [] },
}

describe.each(Object.entries(tables))('code of %s', (language, table) => {
  it.each(Object.entries(table))('is recognised: %s', (text, found) => {
    expect(recognised(language as CodeLanguage, text)).toEqual(found)
  })
})

describe('paths that are joined within each other', () => {
  it('are known up to a number of parts', () => {
    const joined = (times: number) => `[IO.File]::Delete((${'Join-Path a '.repeat(times)} b))`
    const unresolved = (times: number) =>
      recognise('powershell', joined(times)).paths.map(({ written }) => written.unresolved)
    expect([unresolved(3), unresolved(2000)]).toEqual([[undefined], [true]])
  })

  it.each(['New-Object ', '(Join-Path ', 'Join-Path a,', 'gi '])('end, however often %s is said', (piece) => {
    expect(() => recognise('powershell', `[x]${piece.repeat(9000)}`)).not.toThrow()
  })
})

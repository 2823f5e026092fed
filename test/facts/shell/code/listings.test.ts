import { describe, expect, it } from 'vitest'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognised } from './recognised.ts'

type Case = readonly [CodeLanguage, string, readonly string[]]

const every: readonly Case[] = [
  ['python', "for d, _, fs in os.walk('/a'):\n    for f in fs: os.remove(os.path.join(d, f))", ['/a/*', '/a/**/*']],
  ['python', "[os.remove(os.path.join(d, f)) for d, _, fs in os.walk('/a') for f in fs]", ['/a/*', '/a/**/*']],
  ['python', "from pathlib import Path\n[p.unlink() for p in Path('/a').rglob('*') if p.is_file()]", ['/a/**/*']],
  ['python', "import glob\nlist(map(os.remove, glob.glob('/a/*.c')))", ['/a/*.c']],
  ['php', 'foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("/a")) as $f) unlink($f);', ['/a/**']],
  ['php', 'array_map("unlink", glob("/a/*"));', ['/a/*']],
  ['perl', 'unlink glob "/a/*"', ['/a/*']],
  ['ruby', 'Dir.glob("/a/*") { |f| File.delete(f) if File.file?(f) }', ['/a/*']],
  ['ruby', 'Dir["/a/*"].each { |f| File.delete(f) }', ['/a/*']],
  ['powershell', 'Get-ChildItem /a | Remove-Item -Force', ['/a/*']],
  ['powershell', 'gci /a -Recurse | ri -Force', ['/a/**/*']],
  ['powershell', 'gci ~ | ri', ['/home/u/*']],
  ['javascript', "fs.readdirSync('/a').forEach(f => fs.unlinkSync('/a/' + f))", ['/a/*']],
]

describe('what code deletes of all that it goes through', () => {
  it.each(every)('is a pattern to %s: %s', (language, code, patterns) => {
    const text = language === 'python' ? `import os\n${code}` : code
    expect(recognised(language, text)).toEqual(patterns.map((pattern) => `delete ${pattern}`))
  })
})

const some: readonly Case[] = [
  ['python', "[os.remove('/a/' + f) for f in os.listdir('/a') if f.endswith('.pyc')]", ['/a/?']],
  ['python', "for f in sorted(os.listdir('/a'))[:-3]: os.remove('/a/' + f)", ['/a/?']],
  ['ruby', 'Dir.glob("/a/*").reject { |f| f =~ /x/ }.each { |f| File.delete(f) }', ['/a/?']],
  ['powershell', 'gci /a -Filter *.log | ri', ['/a/?']],
  ['powershell', 'gci /a | where Length -gt 9 | ri', ['/a/?']],
  ['javascript', "for (const f of fs.readdirSync('/a').filter(isOld)) fs.unlinkSync('/a/' + f)", ['/a/?']],
  ['perl', 'for (glob "/a/*") { next unless /x/; unlink $_ }', ['/a/?']],
]

describe('what code deletes of some that it goes through', () => {
  it.each(some)('is not known to %s: %s', (language, code, paths) => {
    const text = language === 'python' ? `import os\n${code}` : code
    expect(recognised(language, text)).toEqual(paths.map((path) => `delete ${path}`))
  })
})

it('an import on the next line is one of its own', () => {
  expect(recognised('python', "import os\nfrom shutil import rmtree as r\nr('/a')")).toEqual(['delete all of /a'])
})

it('what code reads of all that it goes through is not known', () => {
  expect(recognised('python', "import glob\nfor f in glob.glob('/a/*'): print(open(f).read())")).toEqual(['read /a/?'])
})

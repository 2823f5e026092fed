import { expect, it } from 'vitest'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognise } from '../../../../src/facts/shell/start/code.ts'

/** Tells whether code starts something that cannot be known. */
const isUncertain = (language: CodeLanguage, code: string): boolean =>
  recognise(language, code).starts.some(({ kind, ...start }) =>
    kind === 'words'
      ? 'words' in start && start.words.some(({ unresolved }) => unresolved === true)
      : 'text' in start && start.text.unresolved === true,
  )

it.each<readonly [CodeLanguage, string]>([
  ['python', "import os; list(map(os.system, ['ls']))"],
  ['python', 'import subprocess as s; [*map(s.check_call, x)]'],
  ['python', "import os, threading; threading.Thread(target=os.system, args=('ls',)).start()"],
  ['python', 'import atexit, os; atexit.register(os.popen, "ls")'],
  ['python', "import os, functools; functools.partial(os.system, 'ls')()"],
  ['python', "import os; {'a': os.system}.get('a')('ls'); f([os.system])"],
  ['python', "import os; getattr(os, name)('ls')"],
  ['python', "import os; vars(os)[name]('ls')"],
  ['python', "import os; os.__dict__[input()]('ls')"],
  ['python', String.raw`import pickle; pickle.loads(b"cos\nsystem\n(S'ls'\ntR.")`],
  ['javascript', "[x].forEach(require('child_process').execSync)"],
  ['javascript', "import('child_process').then((m) => setTimeout(m.exec, 1, x))"],
  ['javascript', "Promise.resolve(x).then(process.getBuiltinModule('node:child_process').exec)"],
  ['javascript', "const { execSync } = require('child_process'); x.map(execSync)"],
  ['javascript', "require('child_process')[name]('ls')"],
])('a starter of processes that is no plain call is uncertain: %s: %s', (language, code) => {
  expect(isUncertain(language, code)).toBe(true)
})

it.each<readonly [CodeLanguage, string, string]>([
  ['python', "import ctypes; ctypes.CDLL(None).system(b'ls -a')", 'ls -a'],
  ['python', "get_ipython().system('ls -a')", 'ls -a'],
  ['python', "vars(__import__('os'))['sys' + 'tem']('ls -a')", 'ls -a'],
  ['python', "import os; os.spawnvp(os.P_WAIT, 'ls', ['ls', '-a'])", 'ls -a'],
  ['python', "import os; f = os.system; f('ls -a')", 'ls -a'],
  ['javascript', "import('child_process').then(({ exec }) => exec('ls -a'))", 'ls -a'],
  ['javascript', "import('node:child_process').then((m) => m.execFile('ls', ['-a']))", 'ls -a'],
  ['javascript', "process.getBuiltinModule('child_process').spawn('ls', ['-a'])", 'ls -a'],
  ['javascript', "process.binding('spawn_sync').spawn({ file: 'ls', args: ['x', '-a'] })", 'ls -a'],
  ['javascript', "Reflect.apply(require('child_process').execSync, null, ['ls -a'])", 'ls -a'],
  ['javascript', "util.promisify(require('child_process').exec)('ls -a')", 'ls -a'],
  ['lua', `require("ffi").C.system("ls -a")`, 'ls -a'],
])('a call on whatever object is known: %s: %s', (language, code, started) => {
  const texts = recognise(language, code).starts.map((start) =>
    start.kind === 'words' ? start.words.map(({ value }) => value).join(' ') : start.text.value,
  )
  expect(texts).toContain(started)
  expect(isUncertain(language, code)).toBe(false)
})

it('arguments from a known place on are known words', () => {
  const parameters = ['ls', '-a', '/x'].map((value) => ({ value }))
  const wordsOf = (language: CodeLanguage, code: string) =>
    recognise(language, code, { parameters }).starts.flatMap((start) => (start.kind === 'words' ? [start.words] : []))
  expect(wordsOf('python', 'import subprocess, sys; subprocess.run(sys.argv[1:])')).toEqual([parameters])
  expect(wordsOf('python', 'import os, sys; os.execvp(sys.argv[1], sys.argv[1:])')).toEqual([parameters])
  expect(wordsOf('javascript', 'Bun.spawnSync(process.argv.slice(1))')).toEqual([parameters])
})

it.each<readonly [CodeLanguage, string]>([
  ['python', 'import platform; print(platform.system())'],
  ['python', "import os; print(hasattr(os, 'system'), 'os.system')"],
  ['python', "import pickle; print(pickle.load(open('a.pkl', 'rb')))"],
  ['python', 'import pickle, sys; print(len(pickle.loads(sys.stdin.buffer.read())))'],
  ['python', 'import sys; print(sys.argv[1:], vars(sys)["path"])'],
  ['javascript', 'x.each(($) => f($)); /a/.exec(b)'],
  ['javascript', "db.exec('select 1'); [1].map(f); import('fs').then((m) => m.existsSync('a'))"],
  ['lua', "print(system, os.getenv('system'))"],
])('everyday code starts nothing: %s: %s', (language, code) => {
  expect(recognise(language, code).starts).toEqual([])
})

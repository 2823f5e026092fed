import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { touchScript, startCode } from './interpreters.ts'
import type { Judge } from '../looks/look.ts'
import { djangoSays, djangoDeny, djangoAsk } from './migrations/python.ts'
import { manager } from '../deeds/packages.ts'
import { codeStage } from '../deeds/deeds.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Starts } from '../starts.ts'
import { known, names } from '../words.ts'
import { readOptions } from '../../../words/options.ts'

const pythonInterpreter: Row = {
  output: 'parts',
  options: 'c! m! W X Q check-hash-based-pycs',
  wholeNames: true,
  operandsLast: true,
  effects: touchScript(['c', 'm']),
  starts(line, starts, command) {
    const module = line.value('m')
    if (line.has('help', 'version', 'h', 'V')) starts.wrapper()
    else if (module !== undefined) startModule(module, line.operands, starts)
    else startCode('python', line.values('c'), line, starts, command)
  },
}

/** Python's own modules that only print, if they get no second file, to which they would write. */
const printing = /^(?:json\.tool|ast|dis|tokenize|platform|site|sysconfig|calendar|tabnanny)$/

/** Python modules that are judged like the programs of the same name. */
const asPrograms =
  /^(?:pip|mypy|flake8|ruff|black|isort|pylint|pyflakes|pycodestyle|pydocstyle|pyright|vulture|bandit|radon|yamllint)$/
/** Judges `python -m`. In front of it may stand options of Python that only turn features off. */
const onlyModuleLooks: Judge = ({ args, starts = 0 }, { isHarmlessText }) => {
  const at = args.findIndex(({ value }) => value === '-m')
  const name = args[at + 1]?.value ?? ''
  const rest = args.slice(at + 2)
  if (at === -1 || !args.slice(0, at).every(({ value }) => /^-[BEIsSuP]+$/.test(value))) return false
  if (starts > 0) return asPrograms.test(name)
  if (rest.some(({ several }) => several === true)) return false
  const words = rest.map(({ value }) => value)
  if (asPrograms.test(name)) return isHarmlessText([name, ...words].join(' '))
  if (name === 'zipfile' || name === 'tarfile') return /^(?:-l|-t|--list|--test)$/.test(words[0] ?? '')
  return (
    printing.test(name) &&
    words.every((word) => word === '--' || !word.startsWith('-') || /^--?[a-z]+(?:-[a-z]+)*(?:=\d+)?$/.test(word)) &&
    words.filter((word) => !/^-./.test(word)).length <= 1
  )
}

/** Python, whose modules are programs too. */
export const pythons: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'language' },
  programs: {
    // Setuptools carries out several commands of one line.
    python: {
      runsModules: true,
      shared: true,
      ...pythonInterpreter,
      // With `-i`, behind a file.
      typed: /^(?: -[A-Za-z]+| -[WX] \S+)*? -(?![cm])[A-Za-z]*i[A-Za-z]*(?: (?!-c|-m)|$)/,
      does: [
        {
          area: 'migrations',
          says: Object.fromEntries(Object.entries(djangoSays).map(([pattern, saying]) => [`* ${pattern}`, saying])),
          never: djangoDeny.map((one) => `manage.py|./manage.py ${one}`),
          work: djangoAsk.map((one) => `manage.py|./manage.py ${one}`),
          valued: 'settings',
          runsAnything: true,
        },
        {
          area: 'packages',
          ...manager(
            {
              publishes: [
                'setup.py|./setup.py upload',
                'setup.py|./setup.py * upload',
                'setup.py|./setup.py * * upload',
              ],
            },
            { noSubcommands: true },
          ),
        },
        codeStage,
      ],
      looks: ['--version|-V|--help|-h [--VV] ..0', onlyModuleLooks],
      opensSockets: true,
    },
    'pypy py': {
      runsModules: true,
      ...pythonInterpreter,
      does: {
        area: 'packages',
        ...manager(
          {
            publishes: ['setup.py|./setup.py upload', 'setup.py|./setup.py * upload', 'setup.py|./setup.py * * upload'],
          },
          { noSubcommands: true },
        ),
      },
      opensSockets: true,
    },
    'ipython pythonw bpython micropython jython graalpy rustpython': pythonInterpreter,
  },
}

/** Programs of Python modules that are started with `python -m`. */
const modules: Readonly<Record<string, string>> = {
  // They read code, and run none of it: those that print what they read, and those that do not.
  ast: 'cat',
  dis: 'cat',
  tokenize: 'cat',
  compileall: 'cksum',
  py_compile: 'cksum',
  tabnanny: 'cksum',
  pip: 'pip',
  'pip.__main__': 'pip',
  pipx: 'pipx',
  uv: 'uv',
  poetry: 'poetry',
  pipenv: 'pipenv',
  pdm: 'pdm',
  hatch: 'hatch',
  flit: 'flit',
  easy_install: 'easy_install',
  twine: 'twine',
  pytest: 'pytest',
  pre_commit: 'pre-commit',
  awscli: 'aws',
  ansible: 'ansible',
  virtualenv: 'virtualenv',
  conda: 'conda',
  ruff: 'ruff',
  black: 'black',
  mypy: 'mypy',
  uvicorn: 'uvicorn',
  gunicorn: 'gunicorn',
  hypercorn: 'hypercorn',
  granian: 'granian',
  daphne: 'daphne',
  waitress: 'waitress-serve',
  'http.server': 'http.server',
  SimpleHTTPServer: 'http.server',
  uploadserver: 'uploadserver',
  updog: 'updog',
  twisted: 'twistd',
}

function startModule(module: ShellWord, operands: readonly ShellWord[], starts: Starts): void {
  const program = modules[module.value]
  if (program !== undefined) starts.words([known(program), ...operands])
  if (module.value !== 'timeit') return
  const read = readOptions(operands, { valued: names('n number r repeat s setup u unit') })
  for (const text of [...read.values('s', 'setup'), ...read.operands]) starts.code('python', text)
}

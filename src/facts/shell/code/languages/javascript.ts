import type { Language } from '../language.ts'
import { bracedCode, slashes } from '../tokens.ts'
import { text } from '../values.ts'

/** Lists functions of `fs`, each with its `Sync` variant. */
const fs = (names: string): string =>
  names
    .split(' ')
    .map((name) => `fs.${name} fs.${name}Sync`)
    .join(' ')

const deno = (names: string): string => fs(names).replaceAll('fs.', 'Deno.')

const requests = (names: string): string =>
  names
    .split(' ')
    .map((name) => `${name} ${name}.get ${name}.post ${name}.put ${name}.patch ${name}.delete ${name}.request`)
    .join(' ')

export const javascript: Language = {
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#![^\n]*/y,
  name: /[A-Za-z_$][\w$]*|#\w+/y,
  strings: [{ open: /(?<mark>['"])/y }, { open: /(?<mark>`)/y, code: bracedCode('${') }, slashes],
  concat: ['+'],
  members: ['.', '?.'],
  // A tagged template.
  bareCalls: /^`/,
  environment: 'process.env Bun.env',
  parameters: { name: 'process.argv', skips: 1 },
  constants: { 'process.execPath': text('node'), __dirname: text('.'), 'path.sep': text('/') },
  calls: {
    deletes: `${fs('unlink rm rmdir')} ${deno('remove')}`,
    deletesTree: `${fs('remove emptyDir')} rimraf rimraf.sync rimraf.rimraf del del.deleteAsync del.deleteSync del.sync`,
    moves: `${fs('rename move')} ${deno('rename')} shelljs.mv`,
    copies: `${fs('copyFile cp copy symlink')} ${deno('copyFile')} shelljs.cp`,
    links: fs('link'),
    writes: `${fs('writeFile appendFile createWriteStream truncate mkdir mkdtemp outputFile outputJson writeJson ensureDir ensureFile')}
      ${deno('writeTextFile writeFile truncate')} Bun.write`,
    marks: `${fs('chmod lchmod chown lchown utimes')} ${deno('chmod')}`,
    reads: `${fs('readFile createReadStream readJson')} ${deno('readTextFile readFile')}`,
    opens: fs('open'),
    binds: 'Bun.serve Bun.listen Deno.serve Deno.listen',
    scripts: `child_process.exec child_process.execSync execa.execaCommand execa.execaCommandSync shelljs.exec $ Bun.$
      os.system std.popen`,
    startsProgram: `child_process.execFile child_process.execFileSync child_process.spawn child_process.spawnSync
      execa execa.execa execa.execaSync cross-spawn cross-spawn.sync Deno.Command Bun.spawn Bun.spawnSync os.exec tjs.spawn`,
    startsDescribed: 'spawn_sync.spawn',
    evaluates: 'eval vm.runInNewContext vm.runInThisContext vm.runInContext vm.Script',
    evaluatesLast: 'Function',
    connects: `${requests('http https axios got node-fetch undici superagent needle')} fetch net.connect
      net.createConnection net.Socket tls.connect dgram.createSocket WebSocket XMLHttpRequest dns.lookup dns.resolve
      Deno.connect`,
    decodesBase64: 'atob',
    decodesBySecond: 'Buffer.from',
    joinsPaths: 'path.join path.resolve Bun.file',
    home: 'os.homedir',
    here: 'process.cwd',
    listsNames: fs('readdir'),
    listsFolder: fs('opendir'),
    variable: 'Deno.env.get',
    module: 'require import process.getBuiltinModule process.binding process.mainModule.require module.require',
    appliesTo: 'Reflect.apply',
    returnsFirst: `util.promisify promisify ${fs('realpath')} path.normalize String`,
  },
  methods: {
    joinsListBy: 'join',
    slices: 'slice',
    returnsFirst: 'toString trim map filter forEach values',
  },
  methodsOfAny: { binds: 'listen' },
  canonical: (name) =>
    name
      .replace(/^node:/, '')
      .replace(/^(?:fs\/promises|fs-extra|graceful-fs|fs\.promises|fsPromises|original-fs)(?=\.|$)/, 'fs')
      .replace(/^(?:globalThis|global|window|self)\./, '')
      .replace(/^path\.(?:posix|win32)(?=\.)/, 'path')
      .replace(/^(\w+)\.default(?=\.|$)/, '$1')
      .replace(/(?<!^Reflect)\.(?:call|apply|bind)$/, '')
      .replace(/^.*\.require$/, 'require'),
}

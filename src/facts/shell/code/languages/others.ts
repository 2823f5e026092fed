import { functionsOf, type Language } from '../language.ts'
import {
  beginsOperand,
  bracedCode,
  type CodeToken,
  firstOf,
  type Interpolation,
  slashes,
  variableIn,
} from '../tokens.ts'
import { text } from '../values.ts'

export const lua: Language = {
  blank: /\s+|--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*/y,
  name: /[A-Za-z_]\w*/y,
  strings: [
    { open: /(?<mark>['"])/y },
    { open: /(?<mark>\[(?<level>=*)\[)\n?/y, close: ({ groups }) => `]${groups?.['level'] ?? ''}]`, escapes: 'none' },
  ],
  concat: ['..'],
  members: ['.', ':'],
  bareCalls: /^['"[]/,
  lines: true,
  calls: {
    deletes: 'os.remove lfs.rmdir posix.unlink vim.uv.fs_unlink vim.fn.delete',
    moves: 'os.rename',
    writes: 'io.output lfs.mkdir',
    writesSecond: 'vim.fn.writefile',
    reads: 'io.lines io.input dofile',
    opens: 'io.open',
    binds: 'vim.fn.serverstart',
    scripts: 'os.execute io.popen',
    starts: 'vim.fn.system vim.fn.systemlist vim.system posix.exec',
    evaluates: 'load loadstring',
    connects: 'socket.http.request socket.connect socket.tcp',
    variable: 'os.getenv',
    module: 'require',
  },
  methodsOfAny: { binds: 'bind pipe_bind' },
  canonical: (name) => name.replace(/^_G\./, ''),
}

const juliaCode = firstOf(bracedCode('$('), variableIn(/\$(?<name>[A-Za-z_]\w*)/y))

export const julia: Language = {
  blank: /\s+|#=[\s\S]*?(?:=#|$)|#[^\n]*/y,
  name: /[A-Za-z_]\w*!?/y,
  strings: [
    { open: /(?:raw|r|b)(?<mark>"""|")/y, escapes: 'quote' },
    { open: /(?<mark>"""|")/y, code: juliaCode },
    // Backquotes only make a command object; `run` starts it.
    { open: /(?<mark>`)/y, escapes: 'quote', code: juliaCode },
  ],
  concat: ['*'],
  members: ['.'],
  lines: true,
  environment: 'ENV',
  parameters: { name: 'ARGS', skips: 0 },
  calls: {
    deletes: 'rm Base.rm',
    moves: 'mv',
    copies: 'cp symlink',
    links: 'hardlink',
    writes: 'write touch mkdir mkpath truncate',
    reads: 'readlines read',
    marks: 'chmod chown',
    opens: 'open',
    binds: 'listen Sockets.listen',
    scripts: 'run readchomp Base.run',
    evaluates: 'eval',
    evaluatesLast: 'include_string',
    connects: 'connect HTTP.get HTTP.post HTTP.request',
    downloads: 'download Downloads.download',
    decodesBase64: 'base64decode Base64.base64decode',
    joinsTexts: 'string',
    joinsPaths: 'joinpath',
    expandsHome: 'expanduser',
    home: 'homedir',
    here: 'pwd',
    listsNames: 'readdir',
    returnsFirst: 'String abspath Meta.parse pipeline',
  },
}

export const r: Language = {
  blank: /\s+|#[^\n]*/y,
  name: /[A-Za-z.][\w.]*/y,
  strings: [
    {
      open: /[rR](?<quote>["'])-*(?<mark>[([{])/y,
      close: ({ groups }) =>
        `${{ '(': ')', '[': ']', '{': '}' }[groups?.['mark'] ?? ''] ?? ''}${groups?.['quote'] ?? ''}`,
      escapes: 'none',
    },
    { open: /(?<mark>['"])/y },
  ],
  concat: [],
  members: ['::', ':::', '$'],
  lines: true,
  calls: {
    deletes: 'file.remove unlink fs.file_delete',
    deletesTree: 'fs.dir_delete',
    moves: 'file.rename',
    copies: 'file.copy file.symlink',
    links: 'file.link',
    writes: 'file.append dir.create sink',
    writesAll: 'file.create',
    writesSecond: 'writeLines write write.csv write.table saveRDS',
    marks: 'Sys.chmod Sys.setFileTime',
    reads: 'readLines readRDS read.csv read.table scan source',
    opens: 'file',
    binds: 'startPipeServer httpuv.startPipeServer httpuv.runServer',
    scripts: 'system shell pipe',
    startsProgram: 'system2 processx.run',
    evaluates: 'eval evalq',
    connects: 'url httr.GET httr.POST',
    downloads: 'download.file',
    decodesBase64: 'base64enc.base64decode',
    lists: 'c list',
    joinsTexts: 'paste0',
    joinsPaths: 'file.path',
    expandsHome: 'path.expand',
    variable: 'Sys.getenv',
    listsFolder: 'list.files',
    matchesFiles: 'Sys.glob',
    here: 'getwd',
    returnsText: 'parse',
    applies: 'do.call',
    returnsFirst: 'normalizePath str2lang rawToChar',
  },
  canonical: (name) => name.replace(/^(?:base|utils)\./, ''),
}

const phpCode = firstOf(
  (source, at) => (source.startsWith('{$', at) ? bracedCode('{')(source, at) : undefined),
  variableIn(/\$[A-Za-z_]\w*(?:\[[^\]]{0,128}\]|->\w+)?/y),
)

export const php: Language = {
  heredocs: { open: /<<<[ \t]?(?<quote>["']?)(?<name>[A-Za-z_]\w*)\k<quote>/g, goesOn: true },
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#(?!\[)[^\n]*|<\?(?:php\b|=)?|\?>[\s\S]*?(?:<\?(?:php\b|=)?|$)/y,
  name: /\$?[A-Za-z_\\][\w\\]*/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'quote' },
    { open: /(?<mark>")/y, code: phpCode },
    { open: /(?<mark>`)/y, code: phpCode, quoted: 'command' },
  ],
  concat: ['.'],
  members: ['->', '::', '?->'],
  environment: '$_SERVER $_ENV',
  parameters: { name: '$argv', skips: 1 },
  constants: { __DIR__: text('.'), DIRECTORY_SEPARATOR: text('/') },
  calls: {
    deletes: 'unlink rmdir',
    moves: 'rename',
    copies: 'copy symlink',
    links: 'link',
    writes: 'file_put_contents touch mkdir',
    writesSecond: 'move_uploaded_file',
    marks: 'chmod chown chgrp',
    opens: 'fopen SplFileObject file_get_contents readfile file include require',
    binds: 'stream_socket_server socket_bind React\\Socket\\UnixServer React\\Socket\\SocketServer Swoole\\Server',
    scripts: 'exec shell_exec system passthru popen proc_open',
    startsProgram: 'pcntl_exec',
    evaluates: 'eval',
    evaluatesLast: 'create_function',
    connects: 'curl_init fsockopen pfsockopen stream_socket_client',
    decodesBase64: 'base64_decode',
    decodes: 'gzinflate gzuncompress str_rot13 hex2bin',
    joinsBy: 'implode',
    variable: 'getenv',
    here: 'getcwd',
    matchesFiles: 'glob',
    listsNames: 'scandir',
    applies: 'call_user_func call_user_func_array array_map',
    returnsFirst: 'trim escapeshellarg realpath',
  },
  canonical: (name) => name.replace(/^\\/, ''),
}

const rubyCode = bracedCode('#{')
const beginsQuote = (previous: CodeToken | undefined): boolean => beginsOperand(previous) || previous?.kind === 'name'

export const ruby: Language = {
  blank: /[^\S\n]+|\n=begin\b[\s\S]*?(?:\n=end\b[^\n]*|$)|\n|#[^\n]*|\\\n|__END__[\s\S]*/y,
  name: /@{0,2}[A-Za-z_]\w*[?!]?(?!=[^=~>])|@{0,2}[A-Za-z_]\w*|\$\w+/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'quote' },
    { open: /(?<mark>")/y, code: rubyCode },
    { open: /(?<mark>`)/y, code: rubyCode, quoted: 'command' },
    { open: /(?<!:):(?<text>[A-Za-z_]\w*[?!]?)/y, behind: (previous) => previous?.text !== '?' },
    { open: /%[qs](?<mark>[^\s\w=])/y, escapes: 'quote', behind: beginsQuote },
    { open: /%Q?(?<mark>[([{<|!/])/y, code: rubyCode, behind: beginsOperand },
    { open: /%Q(?<mark>[^\s\w=])/y, code: rubyCode, behind: beginsQuote },
    { open: /%x(?<mark>[^\s\w=])/y, code: rubyCode, quoted: 'command', behind: beginsQuote },
    { open: /%r(?<mark>[^\s\w=])/y, quoted: 'pattern', behind: beginsQuote },
    { open: /%[wWiI](?<mark>[^\s\w=])/y, escapes: 'quote', quoted: 'words', behind: beginsQuote },
    slashes,
  ],
  heredocs: { open: /<<[~-]?(?<quote>["'`]?)(?<name>[A-Za-z_]\w*)\k<quote>/g },
  concat: ['+'],
  members: ['.', '::', '&.'],
  bareCalls: 'any',
  lines: true,
  environment: 'ENV',
  parameters: { name: 'ARGV', skips: 0 },
  calls: {
    deletes: `${functionsOf('FileUtils', 'rm rm_f remove remove_file safe_unlink rmdir')} ${functionsOf('File', 'delete unlink')}
      ${functionsOf('Dir', 'rmdir delete unlink')}`,
    deletesTree: functionsOf('FileUtils', 'rm_r rm_rf rmtree remove_dir remove_entry remove_entry_secure'),
    moves: `${functionsOf('FileUtils', 'mv move')} File.rename`,
    copies: `${functionsOf('FileUtils', 'cp copy cp_r copy_file install ln_s ln_sf')} File.symlink`,
    links: 'FileUtils.ln File.link',
    writes: `${functionsOf('File IO', 'write binwrite truncate')} Dir.mkdir`,
    writesAll: functionsOf('FileUtils', 'touch mkdir mkdir_p'),
    reads: `${functionsOf('File IO', 'read binread readlines foreach')} load`,
    marks: `${functionsOf('FileUtils', 'chmod chmod_R chown chown_R')} ${functionsOf('File', 'chmod chown')}`,
    opens: 'open Kernel.open File.open File.new IO.sysopen',
    binds: 'UNIXServer.new UNIXServer.open Socket.unix_server_socket Socket.unix_server_loop',
    starts: `system exec spawn ${functionsOf('Kernel Object Process', 'system exec spawn')} IO.popen PTY.spawn
      ${functionsOf('Open3', 'capture2 capture2e capture3 popen2 popen2e popen3 pipeline')}`,
    evaluates: 'eval instance_eval class_eval Kernel.eval',
    connects: `URI.open ${functionsOf('Net.HTTP', 'get get_response post post_form start new')} TCPSocket.new TCPSocket.open
      UDPSocket.new HTTParty.get RestClient.get RestClient.post Faraday.get`,
    decodesBase64: functionsOf('Base64', 'decode64 strict_decode64 urlsafe_decode64'),
    joinsPaths: 'File.join Pathname Pathname.new',
    expandsHome: 'File.expand_path',
    home: 'Dir.home',
    here: 'Dir.pwd',
    matchesFiles: 'Dir.glob',
    listsNames: functionsOf('Dir', 'children entries each_child'),
    variable: 'ENV.fetch',
    applies: functionsOf('Kernel Object File FileUtils Dir', 'send __send__ public_send').concat(
      ' send __send__ public_send',
    ),
    returnsFirst: `URI URI.parse File.absolute_path File.realpath Shellwords.escape Socket.sockaddr_un Socket.pack_sockaddr_un
      Addrinfo.unix`,
  },
  methodsOfAny: { binds: 'bind listen', sends: 'send send_data puts' },
  methods: {
    deletes: 'unlink rmdir delete',
    deletesTree: 'rmtree',
    joinsListBy: 'join',
    decodesBySecond: 'unpack unpack1',
    listsFolder: 'children',
    returnsFirst: 'each map select reject sort first to_s strip chomp freeze',
  },
}

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
  methodsOfAny: { binds: 'listen', sends: 'send end sendMail post put patch' },
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

/** Interpolates `f'{name}'`, without the format specification after a colon or an exclamation mark. */
const replacementField: Interpolation = (source, at) => {
  const found = source.charAt(at + 1) === '{' ? undefined : bracedCode('{')(source, at)
  return found && { ...found, code: found.code.replace(/(?:![rsa])?(?::[^'"\])}]*)?$/, '') }
}

export const python: Language = {
  blank: /\s+|#[^\n]*|\\\n/y,
  name: /[A-Za-z_]\w*/y,
  strings: [
    { open: /[bBuU]?(?<mark>'''|"""|'|")/y },
    { open: /(?:[rR][bB]?|[bB][rR])(?<mark>'''|"""|'|")/y, escapes: 'none' },
    { open: /[fF](?<mark>'''|"""|'|")/y, code: replacementField },
    { open: /(?:[fF][rR]|[rR][fF])(?<mark>'''|"""|'|")/y, escapes: 'none', code: replacementField },
  ],
  concat: ['+'],
  members: ['.'],
  adjacentTexts: true,
  lines: true,
  environment: 'os.environ',
  parameters: { name: 'sys.argv', skips: 1 },
  constants: {
    'sys.executable': text('python3'),
    'os.sep': text('/'),
    'os.curdir': text('.'),
    'os.pardir': text('..'),
  },
  calls: {
    deletes: 'os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash',
    deletesTree: 'shutil.rmtree',
    moves: 'os.rename os.renames os.replace shutil.move',
    copies: 'os.symlink shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.unpack_archive',
    links: 'os.link',
    writes: 'os.truncate os.mkdir os.makedirs os.mkfifo os.mknod shutil.make_archive',
    marks: 'os.chmod os.chown os.lchown os.utime shutil.chown shutil.copymode',
    opens: 'open io.open codecs.open gzip.open zipfile.ZipFile tarfile.open',
    opensByFlags: 'os.open',
    binds: `${functionsOf('socketserver', 'UnixStreamServer UnixDatagramServer ThreadingUnixStreamServer ThreadingUnixDatagramServer ForkingUnixStreamServer ForkingUnixDatagramServer')}
      asyncio.start_unix_server multiprocessing.connection.Listener uvicorn.run aiohttp.web.run_app
      aiohttp.web.UnixSite tornado.netutil.bind_unix_socket waitress.serve`,
    scripts: `os.system os.popen commands.getoutput commands.getstatusoutput subprocess.getoutput
      subprocess.getstatusoutput asyncio.create_subprocess_shell asyncio.subprocess.create_subprocess_shell pexpect.spawn pexpect.run`,
    starts: 'pty.spawn',
    startsProgram: `${functionsOf('subprocess', 'run call check_call check_output Popen')} asyncio.create_subprocess_exec`,
    executes: functionsOf('os', 'execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp'),
    spawns: functionsOf('os', 'spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe'),
    evaluates: 'exec eval',
    unpickles: 'pickle.loads _pickle.loads cPickle.loads dill.loads cloudpickle.loads',
    connects: `${functionsOf('requests httpx aiohttp urllib3', 'get post put patch delete head options stream request')}
      urllib.request.urlopen urllib.request.Request urllib.urlopen urllib2.urlopen http.client.HTTPConnection
      http.client.HTTPSConnection ftplib.FTP smtplib.SMTP smtplib.SMTP_SSL telnetlib.Telnet socket.socket
      socket.create_connection`,
    downloads: 'urllib.request.urlretrieve wget.download',
    decodesBase64: `${functionsOf('base64', 'b64decode standard_b64decode urlsafe_b64decode decodebytes')} binascii.a2b_base64`,
    decodes: `base64.b32decode base64.b85decode zlib.decompress marshal.loads base64.b16decode
      binascii.unhexlify bytes.fromhex`,
    decodesBySecond: 'codecs.decode',
    joinsPaths: 'os.path.join pathlib.Path pathlib.PurePath pathlib.PosixPath',
    expandsHome: 'os.path.expanduser',
    home: 'pathlib.Path.home',
    here: 'os.getcwd pathlib.Path.cwd',
    listsNames: 'os.listdir',
    listsFolder: 'os.scandir',
    walksFolder: 'os.walk',
    matchesFiles: 'glob.glob glob.iglob',
    variable: 'os.getenv os.environ.get os.environ.pop os.environ.setdefault',
    module: '__import__ importlib.import_module',
    member: 'getattr',
    returnsFirst: `vars functools.partial functools.partialmethod partial os.path.abspath os.path.realpath os.path.normpath os.fspath str bytes list sorted reversed tuple
      compile shlex.quote`,
  },
  methods: {
    deletes: 'unlink rmdir',
    deletesTree: 'rmtree',
    moves: 'rename',
    writes: 'write_text write_bytes touch mkdir',
    copies: 'symlink_to',
    links: 'hardlink_to',
    marks: 'chmod',
    reads: 'read_text read_bytes',
    opens: 'open',
    movesOrReplaces: 'replace',
    listsFolder: 'iterdir',
    matchesFiles: 'glob rglob',
    joinsPaths: 'joinpath',
    withName: 'with_name',
    expandsHome: 'expanduser',
    joinsBy: 'join',
    formats: 'format',
    returnsFirst: 'resolve absolute as_posix decode encode strip rstrip lstrip',
  },
  methodsOfAny: {
    binds: 'bind create_unix_server',
    sends: 'send sendall sendto sendmail send_message post put patch request',
  },
  canonical: (name) =>
    name
      .replace(/^(?:posix|nt)(?=\.|$)/, 'os')
      .replace(/^posixpath(?=\.|$)/, 'os.path')
      .replace(/\.__dict__(?=\.|$)/, '')
      .replace(/^(?:builtins|__builtins__)\./, ''),
}

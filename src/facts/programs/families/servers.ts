import type { Family } from '../program.ts'
import type { ShellNetwork } from '../../../model/shell.ts'
import type { Line, Row } from '../row.ts'
import { looksLikePath, names } from '../words.ts'

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

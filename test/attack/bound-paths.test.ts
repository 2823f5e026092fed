import { describe, expect, it } from 'vitest'
import { protectedUser, refused } from '../support/self-protection.ts'

// An agent that wants to answer in the gate's place binds the gate's socket. A bound path is a written path.

const S = '"$HOME/.local/state/hookgate/gate.sock"'
/** The same path where no shell expands it. */
const H = '/gate.sock'

describe('a program that binds a path writes it', () => {
  it.each([
    ['ncat', `ncat -lkU ${S}`],
    ['ncat in words', `ncat --listen --keep-open --unixsock ${S} -c 'cat reply'`],
    ['nc', `nc -l -U ${S} < reply`],
    ['busybox', `busybox nc -lU ${S}`],
    ['socat', `socat UNIX-LISTEN:${S},fork,unlink-early EXEC:./reply`],
    ['socat by the short name', `socat unix-l:${S} -`],
    ['socat that receives', `socat -u UNIX-RECVFROM:${S},fork OPEN:log`],
    ['socat with datagrams', `socat UNIX-RECV:${S} STDOUT`],
    ['socat as the second address', `socat TCP-LISTEN:80 UNIX-LISTEN:${S}`],
    ['socat whose own end has a path', `socat - UNIX-CONNECT:/x,bind=${S}`],
    ['a named pipe of socat', `socat PIPE:${S} -`],
    ['a link of socat', `socat PTY,link=${S} EXEC:sh`],
    ['systemd-socket-activate', `systemd-socket-activate -l ${S} ./reply`],
    ['systemd-run', `systemd-run --user --socket-property=ListenStream=${S} ./reply`],
    ['websocat', `websocat --unlink unix-listen:${S} -`],
    ['websocat as a server', `websocat ws-l:127.0.0.1:80 unix-l:${S}`],
    ['ssh that forwards from here', `ssh -N -L ${S}:localhost:80 localhost`],
    ['ssh that forwards to here', `ssh -NR ${S}:localhost:80 localhost`],
    ['ssh by a setting', `ssh -o "LocalForward "${S}" localhost:80" localhost`],
    ['ssh by a setting with a sign', `ssh -oRemoteForward=${S}:/x localhost`],
    ['ssh that shares its connection', `ssh -M -S ${S} localhost`],
    ['ssh that shares it by a setting', `ssh -o ControlMaster=yes -o ControlPath=${S} localhost`],
    ['autossh', `autossh -M 0 -N -L ${S}:localhost:80 localhost`],
    ['ssh-agent', `ssh-agent -a ${S}`],
    ['dbus-daemon', `dbus-daemon --session --address=unix:path=${S}`],
    ['tmux', `tmux -S ${S} new -d`],
    ['dtach', `dtach -n ${S} sh`],
    ['abduco of an emacs', `emacs --daemon=${S}`],
    ['Neovim', `nvim --headless --listen ${S}`],
    ['redis', `redis-server --port 0 --unixsocket ${S}`],
    ['memcached', `memcached -s ${S}`],
    ['MySQL', `mysqld --socket=${S}`],
    ['gunicorn', `gunicorn -b unix:${S} app:app`],
    ['uvicorn', `uvicorn app:app --uds ${S}`],
    ['hypercorn', `hypercorn --bind unix:${S} app:app`],
    ['a server that Python runs', `python3 -m uvicorn app:app --uds ${S}`],
    ['waitress', `waitress-serve --unix-socket=${S} app:app`],
    ['daphne', `daphne -u ${S} app:app`],
    ['uwsgi', `uwsgi --http-socket ${S} --wsgi-file a.py`],
    ['puma', `puma -b unix://${S}`],
    ['kubectl', `kubectl proxy --unix-socket=${S}`],
    ['docker’s daemon', `dockerd -H unix://${S}`],
    ['podman', `podman system service unix://${S}`],
    ['caddy', `caddy respond --listen unix/${S} '{}'`],
    ['spawn-fcgi', `spawn-fcgi -s ${S} ./reply`],
    ['ucspi', `unixserver ${S} ./reply`],
    ['s6', `s6-ipcserver ${S} ./reply`],
    ['mpv', `mpv --idle --input-ipc-server=${S}`],
    ['qemu', `qemu-system-x86_64 -monitor unix:${S},server,nowait`],
    ['gost', `gost -L unix://${S}`],
    ['behind wrappers', `sudo nohup timeout 9 nc -lU ${S} &`],
    ['in its folder', 'cd ~/.local/state/hookgate && nc -lU gate.sock'],
    ['from a variable', `s=${S}; socat UNIX-LISTEN:$s -`],
    ['moved over it', `nc -lU x.sock & mv -f x.sock ${S}`],
    ['linked over it', `rm ${S}; ln -s /tmp/x.sock ${S}`],
    ['hard-linked over it', `ln -f x.sock ${S}`],
    ['mounted over it', `sudo mount --bind x.sock ${S}`],
    ['as a named pipe', `mkfifo ${S}`],
    ['as a node', `mknod ${S} p`],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })
})

describe('inline code that binds a path writes it', () => {
  it.each([
    ['Python, asyncio', 'python3', '-c', `import asyncio; asyncio.run(asyncio.start_unix_server(f, '${H}'))`],
    ['Python, asyncio by name', 'python3', '-c', `import asyncio; asyncio.start_unix_server(f, path='${H}')`],
    ['Python, a loop', 'python3', '-c', `l = asyncio.get_event_loop(); l.create_unix_server(P, '${H}')`],
    ['Python, a socket', 'python3', '-c', `import socket as s; x = s.socket(s.AF_UNIX); x.bind('${H}'); x.listen()`],
    ['Python, at once', 'python3', '-c', `import socket; socket.socket(socket.AF_UNIX).bind('${H}')`],
    ['Python, a name of its own', 'python3', '-c', `from socket import *; p = '${H}'; a = socket(1, 1); a.bind(p)`],
    ['Python, with', 'python3', '-c', `import socket\nwith socket.socket(1) as s:\n  s.bind('${H}')`],
    [
      'Python, socketserver',
      'python3',
      '-c',
      `import socketserver; socketserver.UnixStreamServer('${H}', H).serve_forever()`,
    ],
    ['Python, threads', 'python3', '-c', `from socketserver import ThreadingUnixStreamServer as T; T('${H}', H)`],
    ['Python, multiprocessing', 'python3', '-c', `from multiprocessing.connection import Listener; Listener('${H}')`],
    ['Python, uvicorn', 'python3', '-c', `import uvicorn; uvicorn.run(app, uds='${H}')`],
    ['Python, aiohttp', 'python3', '-c', `from aiohttp import web; web.run_app(app, path='${H}')`],
    ['Node', 'node', '-e', `require('net').createServer(f).listen('${H}')`],
    ['Node, http', 'node', '-e', `const s = require('node:http').createServer(f); s.listen('${H}')`],
    ['Node, an object', 'node', '-e', `require('net').createServer().listen({ path: '${H}', exclusive: false })`],
    ['Node, a module', 'node', '-e', `import net from 'net'; const p = '${H}'; net.Server().listen(p, () => {})`],
    ['Express', 'node', '-e', `require('express')().listen('${H}')`],
    ['Bun', 'bun', '-e', `Bun.serve({ unix: '${H}', fetch: () => new Response('{}') })`],
    ['Bun, a socket', 'bun', '-e', `Bun.listen({ unix: '${H}', socket: {} })`],
    ['Deno', 'deno', 'eval', `Deno.listen({ transport: 'unix', path: '${H}' })`],
    ['Deno, http', 'deno', 'eval', `Deno.serve({ path: '${H}' }, () => new Response())`],
    [
      'Perl, IO::Socket::UNIX',
      'perl',
      '-e',
      `use IO::Socket::UNIX; IO::Socket::UNIX->new(Local => '${H}', Listen => 1)`,
    ],
    ['Perl, indirect', 'perl', '-e', `use IO::Socket; $s = new IO::Socket::UNIX(Type => 1, Local => '${H}')`],
    ['Perl, bind', 'perl', '-e', `use Socket; socket(S, 1, 1, 0); bind(S, sockaddr_un('${H}')); listen(S, 9)`],
    ['Perl, pack', 'perl', '-e', `use Socket; my $a = pack_sockaddr_un('${H}'); bind S, $a;`],
    ['Ruby', 'ruby', '-e', `UNIXServer.new('${H}').accept`],
    ['Ruby, open', 'ruby', '-rsocket', '-e', `UNIXServer.open("${H}") { |s| s.accept }`],
    ['Ruby, Socket', 'ruby', '-e', `Socket.unix_server_loop('${H}') { |c, _| c.write('x') }`],
    ['Ruby, an address', 'ruby', '-e', `s = Socket.new(:UNIX, :STREAM); s.bind(Socket.sockaddr_un('${H}'))`],
    ['Ruby, Addrinfo', 'ruby', '-e', `Addrinfo.unix('${H}').listen { |s| s.accept }`],
    ['PHP', 'php', '-r', `stream_socket_server('unix://${H}', $e, $m);`],
    ['PHP, sockets', 'php', '-r', `$s = socket_create(AF_UNIX, 1, 0); socket_bind($s, '${H}'); socket_listen($s);`],
    ['PHP, React', 'php', '-r', `new React\\Socket\\UnixServer('${H}');`],
    ['Lua', 'lua', '-e', `local s = require('socket.unix')(); s:bind('${H}'); s:listen()`],
    ['Lua, luv', 'lua', '-e', `local uv = require('luv'); local p = uv.new_pipe(); uv.pipe_bind(p, '${H}')`],
    ['R', 'Rscript', '-e', `httpuv::startPipeServer('${H}', 7, app)`],
    ['Julia', 'julia', '-e', `using Sockets; s = listen("${H}"); accept(s)`],
    ['PowerShell', 'pwsh', '-c', `$e = [Net.Sockets.UnixDomainSocketEndPoint]::new('${H}'); $s.Bind($e)`],
  ])('%s', async (_, program, ...words) => {
    const user = protectedUser()
    const quoted = words.map((word) => {
      const text = word.replaceAll(H, user.at('home/.local/state/hookgate/gate.sock'))
      return /^-{1,2}\w*$|^eval$/.test(word) ? word : `'${text.replaceAll("'", `'\\''`)}'`
    })
    expect(await user.command([program, ...quoted].join(' '))).toEqual(refused)
  })
})

describe('everyday servers and clients write nothing', () => {
  it.each([
    ['a port', 'nc -l 8080'],
    ['a port of socat', 'socat TCP-LISTEN:8080,fork TCP:localhost:80'],
    ['forwarded ports', 'ssh -N -L 8080:localhost:80 -R 9090:localhost:90 example.com'],
    ['a bound address', 'gunicorn -b 127.0.0.1:8000 app:app'],
    ['a server of Python', 'python3 -m uvicorn app:app --host 0.0.0.0 --port 80'],
    ['an abstract name', 'socat ABSTRACT-LISTEN:x -'],
    ['a port of Node', `node -e "require('http').createServer().listen(process.env.PORT || 3000)"`],
    ['a socket of Python at a port', `python3 -c "import socket; s = socket.socket(); s.bind(('', 80)); s.listen(5)"`],
    ['a function that is bound', `node -e "const f = g.bind(this); x.bind('click', f)"`],
    ['the client of a socket', 'curl --unix-socket /var/run/docker.sock http://localhost/info'],
    ['another program’s socket in the project', 'redis-server --unixsocket ./redis.sock'],
  ])('%s', async (_, command) => {
    expect((await protectedUser().command(command)).decision).toBe('abstain')
  })
})

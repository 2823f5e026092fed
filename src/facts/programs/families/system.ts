import type { Family } from '../program.ts'
import { readOptions } from '../../../words/options.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { http } from './http.ts'
import { looksLikePath } from '../looks.ts'
import { startApplyPatch, startPatch } from '../patches.ts'
import { type Line, type Row, setup, turnedBack } from '../row.ts'
import type { Starts } from '../starts.ts'
import { startVariables } from '../unwrap.ts'
import { behind, behindDashes, joined, known, names } from '../words.ts'

const serviceManager: Row = {
  options: 'H host M machine t type p property u unit n lines o output since until root=names',
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    if (verb !== undefined && /^(?:link|enable|start)$/.test(verb.value))
      for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, 'execute')
  },
}

const certificates: Row = {
  options: 'keystore=edit file=read alias storepass keypass import out=write d=names k=read o=write',
  oneDash: true,
}

/** Programs without a family of their own: keys, services, schedules and other system tools. */
export const system: Family = {
  programs: {
    'ssh-keygen': {
      output: ({ has }) => (has('y', 'l') ? 'public' : undefined),
      options: 'a b C D E F f I M m N n O P R r s=read t V w Y z Z',
      effects(line, recorder) {
        const file = line.value('f')
        if (file === undefined) return
        if (line.has('F')) recorder.touch(file, 'read')
        else if (line.has('R', 'H')) recorder.touch(file, 'edit')
        else if (line.has('y', 'e', 'i')) recorder.touch(file, 'read')
        else if (line.has('l', 'B', 'L')) recorder.touch(file, 'names')
        else {
          recorder.touch(file, line.has('p', 'c') ? 'edit' : 'write')
          recorder.touch({ ...file, value: `${file.value}.pub` }, 'write')
        }
      },
    },
    'ssh-add': { sealed: true, options: 't E S s e h H=read', operands: 'read' },
    'uuidgen pwgen apg': { output: 'random', ignoresStdin: true },
    'ssh-keyscan ssh-import-id': { options: 'f=read t T p a' },
    'ssh-agent': { output: setup(/^(?:-[sc])?$/), options: 't a=write E O P', starts: {}, idle: 'k' },
    keychain: { output: setup(/--eval\b/) },
    dircolors: { output: setup(/^/), operands: 'read' },
    lesspipe: { output: setup(/^$/), operands: 'read' },
    'zoxide starship atuin': { output: setup(/^init\b/) },
    thefuck: { output: setup(/^--alias\b/) },
    'register-python-argcomplete': { output: setup(/^[\w.-]+$/) },
    'gpg gpg2 gpgv gpgsm': {
      sealed: true,
      output: turnedBack('decoded', 'd decrypt'),
      options:
        'o=write output=write r recipient R hidden-recipient u local-user default-key homedir=names passphrase passphrase-file=read passphrase-fd keyserver keyring=edit secret-keyring=read options=read log-file=append status-fd s2k-mode cipher-algo digest-algo compress-algo pinentry-mode trust-model export-options import-options batch? attribute-file=write set-filename +decrypt +encrypt +symmetric +sign +verify +import +export +export-secret-keys +list-keys +armor +detach-sign +clearsign +delete-keys',
      effects(line, recorder) {
        if (
          line.has(
            'k',
            'K',
            'list-keys',
            'list-secret-keys',
            'export',
            'export-secret-keys',
            'export-secret-subkeys',
            'delete-keys',
            'delete-secret-keys',
            'recv-keys',
            'edit-key',
            'fingerprint',
            'search-keys',
            'send-keys',
            'gen-key',
            'quick-gen-key',
            'full-generate-key',
            'refresh-keys',
          )
        )
          return
        for (const word of line.operands) recorder.touch(word, 'read')
        if (line.value('o', 'output') !== undefined || line.has('d', 'decrypt', 'verify', 'import')) return
        const suffix = line.has('a', 'armor', 'clearsign') ? '.asc' : '.gpg'
        for (const word of line.operands) recorder.touch({ ...word, value: word.value + suffix }, 'write')
      },
    },
    'age rage': {
      sealed: true,
      output: turnedBack('decoded', 'd decrypt'),
      options: '+decrypt o=write output=write i=read identity=read r recipient R=read recipients-file=read j',
      operands: 'read',
    },
    'age-keygen': { options: 'o=write output=write', operands: 'read' },
    'ansible-vault ccrypt mcrypt scrypt gopass': {
      options: 'output=write config=read vault-password-file=read age pgp kms k=read',
      operands: 'read',
    },
    'minisign signify cosign': { options: 'p=read P s=read x=write m=read c t key=read', operands: 'none' },
    'keytool pk12util security': certificates,
    certutil: {
      ...certificates,
      // Windows' own: `/decode`, `-decodehex`, in any case.
      output: ({ given, operands }) =>
        given.some(({ name }) => /^decode/i.test(name)) || operands.some(({ value }) => /^\/decode/i.test(value))
          ? 'decoded'
          : undefined,
    },
    crontab: {
      obeys: { looks: 'l' },
      options: 'u',
      starts: startCrontab,
      runsStdin: ({ operands: [file], has }) => (file === undefined || file.value === '-') && !has('l', 'e', 'r'),
      effects(line, recorder) {
        if (line.has('l', 'e', 'r')) return
        recorder.touch(line.operands[0], line.operands[0]?.value.startsWith('/dev/fd/') === true ? 'execute' : 'read')
      },
    },
    'at batch': { options: 'f=execute q t', starts: startLater },
    systemctl: { ...serviceManager, variables: 'SYSTEMD_EDITOR SYSTEMD_PAGER EDITOR VISUAL PAGER' },
    journalctl: { ...serviceManager, variables: 'SYSTEMD_PAGER PAGER' },
    'service initctl rc-service rc-update chkconfig sv supervisorctl monit loginctl hostnamectl timedatectl':
      serviceManager,
    pm2: {
      ...serviceManager,
      subcommands: {
        start: {
          options: 'name n i instances o output=append e error=append l log=append cwd=folder interpreter cron',
          starts({ operands: [program] }, starts, { args }) {
            if (program !== undefined) starts.words([program, ...(behindDashes(args) ?? [])])
          },
        },
      },
    },
    // Starts a shell in another group, which reads its script from stdin.
    newgrp: {
      options: 'c=script command=script',
      operands: 'none',
      starts(line, starts, { stdin }) {
        if (stdin !== undefined && !line.has('c', 'command')) starts.script(stdin, { stdin: 'none' })
      },
    },
    'visudo sudoedit': { operands: 'none', variables: 'SUDO_EDITOR VISUAL EDITOR' },
    vipw: { operands: 'none', variables: 'VISUAL EDITOR' },
    launchctl: { effects: (line, recorder) => pathsAs(line, recorder, 'execute') },
    'insmod kldload kextload': { operands: 'none', first: 'execute' },
    'modprobe rmmod depmod useradd userdel usermod groupadd groupdel groupmod passwd chpasswd chage chsh chfn shutdown reboot halt poweroff init telinit iptables ip6tables nft ufw firewall-cmd sestatus setenforce ldconfig update-alternatives update-grub grub-install':
      { operands: 'none' },
    'patch gpatch': {
      obeys: { looks: 'C', stdin: (words) => !words.some((word) => /^(?:-i|--input)/.test(word)) },
      options:
        'p strip i=read input=read o=write output=write d=names directory=names r=write reject-file=write B F fuzz V D z Y +dry-run +reverse',
      starts: startPatch,
      effects(line, recorder) {
        const [original, patch] = line.operands
        recorder.touch(patch, 'read')
        if (line.surely('dry-run')) return
        if (original !== undefined) recorder.touch(original, 'edit')
        else recorder.touch(line.value('d', 'directory') ?? { value: '.' }, 'into')
      },
    },
    'apply_patch applypatch': { options: '+preserve-crlf', operands: 'none', starts: startApplyPatch },
    'bindfs encfs gocryptfs': { operands: 'names' },
    // `script [-c SCRIPT] [FILE]` of Linux, `script [FILE [COMMAND…]]` of the BSDs.
    script: {
      options:
        'c command E echo I=write log-in=write O=write log-out=write B=write log-io=write T=write log-timing=write m logging-format o output-limit t timing',
      operandsLast: true,
      operands: 'none',
      starts: startTypescript,
      effects: (line, recorder) => recorder.touch(line.operands[0], 'write'),
    },
    certbot: {
      options:
        'pre-hook=script post-hook=script deploy-hook=script renew-hook=script manual-auth-hook=script manual-cleanup-hook=script d m w',
    },
    restic: {
      options: 'password-command=script r repo p password-file o option tag exclude e host H',
      effects({ operands: [verb, ...files], ...line }, recorder) {
        if (verb?.value !== 'backup') return
        for (const word of files) recorder.touch(word, 'read', { recursive: true })
        toRepository(line.value('r', 'repo'), recorder)
      },
    },
    borg: {
      options: 'rsh=script content-from-command=script P prefix remote-path C compression e exclude comment',
      effects({ operands: [verb, archive, ...files] }, recorder) {
        if (verb?.value !== 'create') return
        for (const word of files) recorder.touch(word, 'read', { recursive: true })
        toRepository(archive, recorder)
      },
      variables: 'BORG_RSH BORG_PASSCOMMAND',
    },
    'asciinema ttyrec': {
      options: 'o=write c command',
      effects: (line, recorder) => pathsAs(line, recorder, 'write'),
    },
    'envsubst gettext ts figlet toilet cowsay lolcat banner': { operands: 'none' },
    air: { options: 'c=read', operandsLast: true },
  },
}

/** Records a backup to a repository on another machine: `sftp:u@host:/a`, `rest:https://host/`, `u@host:a::b`. */
function toRepository(place: ShellWord | undefined, recorder: EffectRecorder): void {
  const address = place?.value.replace(/^(?:rest|sftp|s3|b2|azure|gs|swift|rclone):/, '')
  if (place === undefined || address === undefined) return
  if (address !== place.value || /^ssh:\/\/|^[^/]+:(?!:)/.test(address))
    recorder.network(http('send', known(address), /^(?:rest|rclone):/.test(place.value) ? 'share' : 'copy'))
}

function pathsAs(line: Line, recorder: EffectRecorder, role: 'read' | 'write' | 'execute'): void {
  for (const word of line.operands) if (looksLikePath(word.value)) recorder.touch(behind(word, 0), role)
}

/** Starts the script on stdin, which `at` and `batch` run later. */
function startLater(read: Line, starts: Starts, command: ShellCommand): void {
  if (read.has('l', 'r', 'd', 'c', 'V', 'f', 'b')) return
  if (command.stdin !== undefined) starts.script(command.stdin, { stdin: 'none' })
}

/** Starts the commands of a crontab: each line ends in one, after the five fields that say when it runs. */
function startCrontab(read: Line, starts: Starts, command: ShellCommand): void {
  const [file] = read.operands
  if (read.has('e')) startVariables(['VISUAL', 'EDITOR'], starts)
  if (read.has('l', 'r', 'e', 'V', 'n') || (file !== undefined && file.value !== '-')) return
  for (const line of command.stdin?.value.split('\n') ?? []) {
    const text = /^[\s\uFDD0]*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){4}[\d*/,\-A-Za-z]+)\s+(\S.*)$/.exec(line)?.[1]
    if (text !== undefined)
      starts.script(joined([{ ...command.stdin, value: text }]), { cwd: undefined, stdin: 'none' })
  }
}

function startTypescript(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  const behindFile = readOptions(read.operands.slice(1), { valued: names('c command'), operandsLast: true })
  const text = read.value('c', 'command') ?? behindFile.value('c', 'command')
  // On the BSDs, a command may follow the file; on Linux, there is only the file.
  const words = read.operands.slice(1)
  if (text !== undefined) starts.script(text)
  else if (words.length > 0) starts.words(words)
  else if (stdin !== undefined) starts.script(stdin, { stdin: 'none', guessed: true })
  if (text !== undefined || words.length > 0 || read.has('help', 'version', 'V', 'h')) starts.wrapper()
}

import type { Doing } from './doing.ts'
import type { Line } from './line.ts'
import { looksLikePath } from './looks.ts'
import type { Rows } from './row.ts'
import { behind } from './behind.ts'

/** Keys, services, schedules, builds and packages: programs that have no family of their own. */
export const system: Rows = {
  'ssh-keygen': {
    options: 'a b C D E F f I M m N n O P R r s=read t V w Y z Z',
    also(line, doing) {
      const file = line.value('f')
      if (file === undefined) return
      if (line.has('F')) doing.touch(file, 'read')
      else if (line.has('R', 'H')) doing.touch(file, 'edit')
      else if (line.has('y', 'e', 'i')) doing.touch(file, 'read')
      else if (line.has('l', 'B', 'L')) doing.touch(file, 'names')
      else {
        doing.touch(file, line.has('p', 'c') ? 'edit' : 'write')
        doing.touch({ ...file, value: `${file.value}.pub` }, 'write')
      }
    },
  },
  'ssh-add': { options: 't E S s e h H=read', operands: 'read' },
  'ssh-agent ssh-keyscan ssh-import-id': { options: 'f=read t T p a' },
  'gpg gpg2 gpgv gpgsm': {
    options:
      'o=write output=write r recipient R hidden-recipient u local-user default-key homedir=names passphrase passphrase-file=read passphrase-fd keyserver keyring=edit secret-keyring=read options=read log-file=append status-fd s2k-mode cipher-algo digest-algo compress-algo pinentry-mode trust-model export-options import-options batch? attribute-file=write set-filename +decrypt +encrypt +symmetric +sign +verify +import +export +export-secret-keys +list-keys +armor +detach-sign +clearsign +delete-keys',
    also(line, doing) {
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
      for (const word of line.operands) doing.touch(word, 'read')
      if (line.value('o', 'output') !== undefined || line.has('d', 'decrypt', 'verify', 'import')) return
      const suffix = line.has('a', 'armor', 'clearsign') ? '.asc' : '.gpg'
      for (const word of line.operands) doing.touch({ ...word, value: word.value + suffix }, 'write')
    },
  },
  'age rage': {
    options: 'o=write output=write i=read identity=read r recipient R=read recipients-file=read j',
    operands: 'read',
  },
  'age-keygen': { options: 'o=write output=write', operands: 'read' },
  'sops ansible-vault ccrypt mcrypt scrypt gopass': {
    options: 'output=write config=read vault-password-file=read age pgp kms k=read',
    operands: 'read',
  },
  'minisign signify cosign': { options: 'p=read P s=read x=write m=read c t key=read', operands: 'none' },
  'keytool certutil pk12util security': {
    options: 'keystore=edit file=read alias storepass keypass import out=write d=names k=read o=write',
    oneDash: true,
  },
  crontab: {
    options: 'u',
    also(line, doing) {
      if (line.has('l', 'e', 'r')) return
      doing.touch(line.operands[0], 'read')
    },
  },
  'at batch': { options: 'f=execute q t' },
  'systemctl service initctl rc-service rc-update chkconfig sv supervisorctl pm2 monit journalctl loginctl hostnamectl timedatectl':
    {
      options: 'H host M machine t type p property u unit n lines o output since until root=names',
      also(line, doing) {
        const [verb, ...rest] = line.operands
        if (verb !== undefined && /^(?:link|enable|start)$/.test(verb.value))
          for (const word of rest) if (word.value.startsWith('/')) doing.touch(word, 'execute')
      },
    },
  launchctl: { also: (line, doing) => pathsAs(line, doing, 'execute') },
  'insmod kldload kextload': { operands: 'none', first: 'execute' },
  'modprobe rmmod depmod useradd userdel usermod groupadd groupdel groupmod passwd chpasswd visudo vipw newgrp chage chsh chfn shutdown reboot halt poweroff init telinit iptables ip6tables nft ufw firewall-cmd sestatus setenforce logrotate ldconfig update-alternatives update-grub grub-install':
    {},
  chroot: { options: 'userspec groups', operandsLast: true, first: 'names' },
  patch: {
    options:
      'p strip i=read input=read o=write output=write d=names directory=names r=write reject-file=write B F fuzz V D z Y +dry-run +reverse',
    also(line, doing) {
      const [original, patch] = line.operands
      doing.touch(patch, 'read')
      if (line.has('dry-run')) return
      if (original !== undefined) doing.touch(original, 'edit')
      else doing.touch(line.value('d', 'directory') ?? { value: '.' }, 'into')
    },
  },
  'make gmake bmake remake just task ninja samu': {
    options:
      'f=execute file=execute makefile=execute C=names directory=names I=names include-dir=names j? jobs? l? load-average? o old-file W what-if new-file assume-new justfile=execute working-directory=names taskfile=execute +dry-run +just-print +always-make +silent',
    also(line, doing) {
      if (line.has('n', 'dry-run', 'just-print', 'recon', 'f', 'file', 'makefile', 'v')) return
      // Its own file in the folder where it works.
      const folder = line.value('C', 'directory')
      const name = files[line.program] ?? 'Makefile'
      doing.touch(folder === undefined ? { value: name } : { ...folder, value: `${folder.value}/${name}` }, 'execute')
    },
  },
  'cmake meson bazel buck scons waf rake ant gradle gradlew mvn mvnw sbt lein mix stack cabal cargo rustc xcodebuild swiftc':
    {
      options:
        'S=names B=into f=read file=read p=names b=execute build-file=execute manifest-path=read target-dir=into o=write out-dir=into C toolchain features package example bin test target',
      also: (line, doing) => pathsAs(line, doing, 'read'),
    },
  'gcc g++ cc c++ clang clang++ tcc ld ld.lld gold as nasm yasm gfortran nvcc emcc zig': {
    options: 'o=write I L l D U x std include=read isystem MF=write MT T=read Xlinker arch march f m W? O? g?',
    also(line, doing) {
      for (const word of line.operands) if (/\.\w+$/.test(word.value)) doing.touch(word, 'read')
    },
  },
  strip: { options: 'o=write R K N F', operands: 'edit' },
  patchelf: {
    options: 'set-interpreter set-rpath add-needed remove-needed replace-needed output=write set-soname add-rpath',
    operands: 'edit',
  },
  upx: { options: 'o=write', operands: 'edit' },
  'objcopy llvm-objcopy': {
    options: 'I O B j R K N L W add-section dump-section update-section set-section-flags',
    first: 'read',
    operands: 'write',
  },
  'objdump nm readelf ldd size addr2line otool dumpbin c++filt': { options: 'd? j s? x? M', operands: 'read' },
  'tsc javac kotlinc scalac erlc': {
    options: 'd=into outdir=into p=read project=read cp=read classpath=read out=write sourcepath=read target module',
    operands: 'read',
    oneDash: true,
  },
  'webpack rollup esbuild vite parcel swc babel browserify terser uglifyjs sass lessc postcss': {
    options:
      'o=write output=write outfile=write outdir=into d=into c=execute config=execute output-path=into out-dir=into out-file=write plugin=execute load-path=names',
    also: (line, doing) => pathsAs(line, doing, 'read'),
  },
  'pip pipx uv poetry pdm conda mamba micromamba pipenv easy_install': {
    options:
      'r=read requirement=read c=read constraint=read e=read editable=read t=into target=into i index-url extra-index-url f find-links=none prefix root d=into dest=into w=into wheel-dir=into log=write cache-dir python n name p file=read env-file=read cert=read proxy timeout platform no-binary only-binary directory=names project=names',
    also(line, doing) {
      for (const word of line.operands) if (/^[./~]/.test(word.value)) doing.touch(word, 'read')
    },
  },
  'npm npx yarn pnpm pnpx bunx corepack lerna nx turbo rush': {
    options:
      'prefix=names C=names dir=names w workspace registry userconfig=read globalconfig=read cache=names cwd=names loglevel otp tag access filter p package c call',
    operandsLast: true,
  },
  'gem bundle bundler composer brew port apt apt-get aptitude apt-cache apt-key dnf yum zypper pacman yay paru apk emerge nix nix-env nix-shell guix snap flatpak choco scoop winget':
    {
      options: 'c C=names gemfile=read path=names t target-release o option file=read working-dir=names',
      also(line, doing) {
        for (const word of line.operands) if (/^[./~]./.test(word.value)) doing.touch(word, 'execute')
      },
    },
  'dpkg rpm installer': {
    options: 'root=names target',
    also(line, doing) {
      for (const word of line.operands) if (/\.(?:deb|rpm|pkg)$/.test(word.value)) doing.touch(word, 'execute')
    },
  },
  'pytest jest vitest mocha ava tap phpunit rspec cucumber behave tox nox playwright cypress': {
    options:
      'c=read config=read rootdir=names k m n o p=none r=none reporter rcfile=read ignore=names output=write outputFile=write t testNamePattern maxfail timeout g grep',
    also: (line, doing) => pathsAs(line, doing, 'execute'),
  },
  'tmux screen zellij': { options: 'S=none L f=read c=none s t n x y F', operandsLast: true },
  'bindfs encfs gocryptfs': { operands: 'names' },
  'asciinema ttyrec': {
    options: 'o=write c command',
    also: (line, doing) => pathsAs(line, doing, 'write'),
  },
  'envsubst gettext ts figlet toilet cowsay lolcat banner': { operands: 'none' },
  'entr reflex nodemon chokidar watchexec air': {
    options: 'w=names watch=names e ext i ignore x exec c',
    operandsLast: true,
  },
}

const files: Readonly<Record<string, string>> = {
  just: 'justfile',
  task: 'Taskfile.yml',
  ninja: 'build.ninja',
  samu: 'build.ninja',
}

function pathsAs(line: Line, doing: Doing, role: 'read' | 'write' | 'execute'): void {
  for (const word of line.operands) if (looksLikePath(word.value)) doing.touch(behind(word, 0), role)
}

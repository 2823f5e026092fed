/**
 * Programs that Homebrew, MacPorts and the BSDs install with a `g` in front, since the system has its own of that name: each
 * is said once, by its own name.
 */
export const namesBehindG: ReadonlySet<string> = new Set(
  `
  [ b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors
  dirname du echo env expand expr factor false fmt fold groups head hostid id install join kill link ln logname ls md5sum mkdir
  mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pr printenv printf ptx pwd readlink realpath rm
  rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee
  test timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes find locate
  xargs grep egrep fgrep sed tar time make patch strings objdump nm readelf
`
    .trim()
    .split(/\s+/),
)

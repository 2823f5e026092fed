/** The ways in which commands use the network. */
export const networkKinds = [
  'request',
  'stream',
  'transfer',
  'mail',
  'copy',
  'session',
  'store',
  'share',
  'project',
  'service',
  'lookup',
  'tunnel',
  'serve',
] as const
export type NetworkKind = (typeof networkKinds)[number]

/** The meaning of each kind, for authors. */
export const networkMeanings: Readonly<Record<NetworkKind, string>> = {
  request: 'asks at the address that it is given, and may send something along: `curl`, code that does so',
  stream: 'a connection whose other end gets whatever comes in: `nc`, `telnet`, `/dev/tcp/…`, a topic of messages',
  transfer: 'puts files to an address and gets them from there: `lftp`, `smbclient`',
  mail: 'sends mail',
  copy: 'copies files between machines, with an account there: `scp`, `rsync`',
  session: 'works on another machine, with an account there: `ssh`, `sshfs`',
  store: 'a store of objects, with an account there: `aws s3`, `gsutil`',
  share: 'hands files to a drive or a service for sharing: `rclone`, `croc`, `pastebinit`, `gh gist create`',
  project: 'repositories and what a forge keeps beside them, images: `git`, `gh`, `docker pull`',
  service: 'a service that it is set up for: a database, a cloud, a log server',
  lookup: 'looks a name or an address up, which tells a name server of it: `dig`, `ping`, `whois`',
  tunnel: 'lets others reach this machine: `ngrok`',
  serve: 'hands the files of a folder to whoever connects: `python -m http.server`, `npx serve`',
}

/** Network access of a command. */
export interface ShellNetwork {
  readonly kind: NetworkKind
  /** Direction of the payload: `curl -d @f` sends, `curl URL` and a trial such as `rsync -n` receive. */
  readonly direction: 'send' | 'receive' | 'both' | 'listen'
  /** Without port and user. Absent if unknown. */
  readonly host?: string
  readonly url?: string
  /** Set if what comes on stdin is the password or token that it logs in with, and goes nowhere else. */
  readonly login?: true
}

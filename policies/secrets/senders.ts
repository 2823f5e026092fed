import { setOf } from 'hookgate/policy'

/** Programs that hand a stream to whoever listens: no deployment is made with them. */
export const takesAnything = setOf(
  'curl wget nc ncat netcat socat openssl http https xh httpie telnet ftp lftp'.split(' '),
)
const mailPrograms = 'mail mailx sendmail mutt neomutt swaks msmtp ssmtp s-nail mpack'.split(' ')
/** Programs that carry away what they are given, where the facts say nothing of a network. */
export const mailers = setOf(mailPrograms)

/** Programs that carry files to a machine by name. */
const copiers = ['scp', 'rsync', 'sftp']
export const copiesTo = setOf(copiers)
/** Programs that carry data or files to a machine, or to somebody. */
export const carriers = setOf(['ssh', ...copiers, ...mailPrograms])

/** Programs that copy to a store in a cloud, and with an option only say what they would. */
const stores = 'aws gsutil gcloud azcopy s3cmd s5cmd'.split(' ')
/** Programs that only say what they would send, with such an option. */
export const trials = setOf([...stores, 'rclone', 'rsync'])

/** Programs that know the place that they send to: they are logged in there, or its name is one that a person gave. */
export const configured = setOf([
  ...stores,
  ...copiers,
  ...'ssh mosh autossh sshfs ssh-copy-id s4cmd mc b2 az oci doctl'.split(' '),
  ...'git docker podman nerdctl kubectl oc helm npm pnpm yarn pulumi cdk serverless sls ansible'.split(' '),
  ...'vercel netlify firebase wrangler heroku fly flyctl railway render eb cf'.split(' '),
  ...'psql mysql redis-cli logger ping nmap whois finger'.split(' '),
])

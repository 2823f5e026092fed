import { abstains, ask, asks, definePolicy, type Impact, impactReason } from 'hookgate/policy'
import { isOpened, isShellOpened } from './flowing.ts'

export default definePolicy({
  id: 'remote-access',
  description: 'Asks before this machine is opened to the outside by a tunnel, a shared terminal or a login server',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['open'] },
  params: {
    accessPrograms: { type: 'strings', default: [], description: 'programs that may open such access, by name' },
  },
  decide({ shell, impacts, params }) {
    const isAllowed = ({ words, by }: Impact) =>
      params.accessPrograms.some((one) => one === words.split(' ')[0] || one === shell.commands[Number(by)]?.program)
    const opened = impacts.find((impact) => isOpened(impact) && !isShellOpened(impact) && !isAllowed(impact))
    return opened === undefined ? undefined : ask(impactReason(opened), { at: opened.by })
  },
  examples: [
    asks('a tunnel back', 'ssh -fNR 2222:localhost:22 a.example'),
    abstains('a tunnel back from a machine nearby', 'ssh -R 9003:localhost:9003 dev@192.168.56.10'),
    asks('by an image', 'docker run ngrok/ngrok:latest http 80'),
    asks('by a program that nobody lists', 'npx foo-open tunnel http://localhost:3000'),
    abstains('in a cluster', 'kubectl expose deployment web --port=80'),
    asks('by code', 'python3 -c "from pyngrok import ngrok; ngrok.connect(80)"'),
    abstains('code about it', `python3 -c "print('ngrok')"`),
    abstains('a tunnel there', 'ssh -L 5432:db:5432 a.example'),
    asks('a service that tunnels', 'ngrok http 3000'),
    abstains('its settings', 'ngrok config check'),
    asks('a shared terminal', 'tmate -F'),
    abstains('a terminal', 'tmux new -d'),
    asks('behind sudo', 'sudo tailscale funnel 80'),
    abstains('how it is', 'tailscale status'),
    abstains('which there are', 'cloudflared tunnel list'),
    asks('a runner', './config.sh --url https://a.example/b --token X'),
    abstains('a script that is called so', './config.sh --prefix /opt'),
    asks('a runner of another kind', 'gitlab-runner register -n'),
    abstains('allowed', 'ngrok http 3000', { params: { accessPrograms: ['ngrok'] } }),
    asks('another than is allowed', 'cloudflared tunnel run a', { params: { accessPrograms: ['ngrok'] } }),
    abstains('only printed', 'echo ngrok http 3000'),
    abstains('its help', 'sshd --help'),
  ],
})

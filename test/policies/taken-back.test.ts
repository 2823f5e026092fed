import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

/** Of one program: what only tries or shows, and beside it what really does it. */
const pairs: Readonly<Record<string, readonly (readonly [tried: string, done: string])[]>> = {
  kubectl: [
    ['kubectl delete ns shop --dry-run=client', 'kubectl delete ns shop --dry-run=client --dry-run=none'],
    [
      'kubectl delete ns shop --dry-run=none --dry-run=server',
      'kubectl delete ns shop --dry-run=server --dry-run=false',
    ],
    [
      'kubectl -n a delete ns shop --dry-run=server',
      'kubectl -n a --context b delete ns shop --dry-run=client --dry-run=none',
    ],
    ['kubectl --dry-run=client delete ns shop', 'kubectl --dry-run=client delete ns shop --dry-run=none'],
    ['oc delete project shop --dry-run=client', 'oc delete project shop --dry-run=client --dry-run=none'],
    ['kubectl drain node-1 --dry-run=server', 'kubectl drain node-1 --dry-run="$MODE"'],
    [
      'kubectl apply -f https://a.example/m.yaml --dry-run=client',
      'kubectl apply -f https://a.example/m.yaml --dry-run=client --dry-run=none',
    ],
  ],
  helm: [
    ['helm uninstall web --dry-run', 'helm uninstall web --dry-run --dry-run=false'],
    ['helm -n prod uninstall web --dry-run=true', 'helm -n prod uninstall web --dry-run=0'],
    ['helm --kube-context a uninstall web --dry-run=client', 'helm --kube-context a uninstall web --dry-run=none'],
  ],
  npm: [
    ['npm publish --dry-run', 'npm publish --dry-run --no-dry-run'],
    ['npm publish --no-dry-run --dry-run', 'npm publish --dry-run=false'],
    ['npm --dry-run publish', 'npm --dry-run publish --no-dry-run'],
    ['npm --prefix a publish --dry', 'npm --prefix a publish --dry --no-dry'],
    ['npm publis --dry-run', 'npm publis'],
    ['npm publi --dry-run', 'npm publish --dry-run false'],
    ['npm versi', 'npm unpubl a --force'],
    ['npm publish --dry-run=true', 'npm publish --dry-run="$DRY"'],
    ['npm vie a', 'npm --loglevel silent deprec a "gone"'],
    ['npm exe -- tsc --noEmit', 'npm exe -- rm -rf /home/u'],
  ],
  'other package managers': [
    ['pnpm publish --dry-run', 'pnpm publish --dry-run --no-dry-run'],
    ['pnpm -r publish --dry-run', 'pnpm -r publish --dry-run=false'],
    ['yarn publish --dry-run', 'yarn publish --dry-run --no-dry-run'],
    ['bun publish --dry-run', 'bun publish --dry-run --no-dry-run'],
    ['cargo +nightly publish --dry-run', 'cargo +nightly publish'],
    ['poetry publish --dry-run', 'poetry publish --dry-run --no-dry-run'],
    ['pip install --dry flask', 'pip install --index-url http://a.example/ flask'],
    ['npx release-it --dry-run', 'npx release-it --dry-run --no-dry-run'],
    ['npx semantic-release --dry-run', 'npx semantic-release --dry-run=false'],
  ],
  rclone: [
    ['rclone sync ./site remote:site --dry-run', 'rclone sync ./site remote:site --dry-run --dry-run=false'],
    ['rclone sync ./site remote:site -n', 'rclone sync ./site remote:site -n --dry-run=0'],
    ['rclone purge remote:site --dry-run=true', 'rclone --config a purge remote:site --dry-run=f'],
    ['rclone -n delete remote:site', 'rclone -n=false delete remote:site'],
  ],
  'docker compose': [
    ['docker compose --dry-run down -v', 'docker compose --dry-run down -v --dry-run=false'],
    ['docker compose -p a --dry-run=true down -v', 'docker compose -p a --dry-run --dry-run=false down --volumes'],
    ['docker compose down -v=false', 'docker compose down -v=false -v'],
  ],
  aws: [
    [
      'aws ec2 terminate-instances --instance-ids i-1 --no-dry-run --dry-run',
      'aws ec2 terminate-instances --instance-ids i-1 --dry-run --no-dry-run',
    ],
    [
      'aws --profile a ec2 terminate-instances --instance-ids i-1 --dry-run',
      'aws --profile a ec2 terminate-instances --dry-run --instance-ids i-1 --no-dry-run',
    ],
    [
      'aws ec2 run-instances --instance-type p5.48xlarge --dry-run',
      'aws ec2 run-instances --instance-type p5.48xlarge --dry-run --no-dry-run',
    ],
    ['aws s3 sync ./site s3://b', 'aws s3 sync ./site s3://b --dele'],
    ['aws s3 rm s3://a --recursive --dryrun', 'aws --region b s3 rm s3://a --recursive'],
  ],
  'terraform and pulumi': [
    ['terraform plan -destroy', 'terraform -chdir=a destroy -auto-approve'],
    ['terraform state rm -dry-run a.b', 'terraform state rm -dry-run -dry-run=false a.b'],
    ['pulumi destroy --preview-only', 'pulumi destroy --yes --preview-only --preview-only=false'],
  ],
  ansible: [
    ['ansible-playbook --check site.yml -i production', 'ansible-playbook site.yml -i production'],
    ['ansible all -C -m reboot', 'ansible all -m reboot'],
  ],
  rsync: [
    [
      'rsync -an --delete ./a/ deploy@a.example:/srv/b/',
      'rsync -an --no-dry-run --delete ./a/ deploy@a.example:/srv/b/',
    ],
    ['rsync -a -n --delete ./a/ b.example:/c/', 'rsync -a --dry-run --no-dry-run --delete ./a/ b.example:/c/'],
  ],
  'borg and rsync, cut short or on this machine': [
    ['borg check --verify-data', 'borg check --repai'],
    ['rsync -a --delete --dry-run /src/ /srv/site/', 'rsync -a --delete --dry-run --no-dry-run /src/ /srv/site/'],
  ],
  apt: [
    ['apt-get remove -s systemd', 'apt-get remove -s --no-simulate systemd'],
    ['apt-get remove --simulate systemd', 'apt-get remove --simulate=no systemd'],
    ['apt-get remove --no-simulate -s systemd', 'apt-get remove -s -s=false systemd'],
  ],
  backups: [
    ['restic forget --keep-last 3 --dry-run', 'restic forget --keep-last 3 --dry-run --dry-run=false'],
    ['restic -r a forget --keep-last 3 -n', 'restic -r a forget --keep-last 3 -n --dry-run=false'],
    ['velero --namespace a backup get', 'velero --namespace a backup delete b --confirm=false --confirm'],
  ],
  'others with a trial': [
    ['supabase db push --dry-run', 'supabase db push --dry-run --dry-run=false'],
    ['argocd app sync a --dry-run --prune', 'argocd app sync a --prune --dry-run --dry-run=false'],
    ['flux uninstall --dry-run', 'flux uninstall --dry-run --dry-run=false'],
    ['skaffold delete --dry-run', 'skaffold delete --dry-run=false'],
    ['az group delete -n a --what-if', 'az group delete -n a --yes --what-if=false'],
    ['gh repo view a/b', 'gh repo delete a/b --yes=false --yes'],
  ],
  git: [
    ['git push --no-dry-run -n --force', 'git push -n --no-dry-run --force'],
    ['git push --mirror --no-mirror origin topic', 'git push --dry-run --no-dry --mir'],
    ['git push --delete --no-delete origin topic', 'git -C a push --no-delete --delete origin topic'],
    ['git restore --staged --worktree --no-worktree .', 'git restore --staged --no-worktree --worktree .'],
    ['git reset --hard --soft', 'git reset --soft --hard'],
    ['git clean -fd --no-force', 'git clean -fdn --no-dry-run'],
    ['git rm --cached -f a.txt', 'git rm --cached --no-cached -rf .'],
    ['git switch --discard-changes --no-discard-changes a', 'git switch --no-discard --disc a'],
    ['git commit --no-verify --verify -m a', 'git commit --verify --no-verify -m a'],
    ['git worktree remove --force --no-force a', 'git worktree remove --no-force --force a'],
    ['git notes --ref a list', 'git notes --ref a remove HEAD'],
    ['git prune -n', 'git prune -n --no-dry-run'],
  ],
}

describe.each(Object.entries(pairs))('options of %s that are given twice, taken back or cut short', (_, ofOne) => {
  it.each(ofOne)('let `%s` pass, and not `%s`', async (tried, done) => {
    expect(await gate.judge(tried)).toEqual({ denied: [], asked: [] })
    const { denied, asked } = await gate.judge(done)
    expect([...denied, ...asked]).not.toEqual([])
  })
})

describe('a copy that deletes what its source lacks', () => {
  it.each(['dist', 'build/site', '.cache/src', 'out', 'public/assets', 'vendor/x', '/tmp/copy', '../gh-pages', 'src'])(
    'is stopped where `rm -rf %s` is, and passes where that passes',
    async (folder) => {
      const isStopped = async (command: string) => {
        const { denied, asked } = await gate.judge(command)
        return denied.length + asked.length > 0
      }
      const expected = await isStopped(`rm -rf ${folder}`)
      expect(await isStopped(`rsync -a --delete assets/ ${folder}/`)).toBe(expected)
      expect(await isStopped(`rclone sync ./assets ${folder}`)).toBe(expected)
    },
  )
})

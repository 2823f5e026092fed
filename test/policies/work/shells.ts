import type { Call, WorkKind } from '../../support/work-kinds.ts'

const pwsh = (line: string): readonly Call[] => [
  `pwsh -NoProfile -Command '${line.replaceAll("'", '"')}'`,
  ['PowerShell', { command: line }],
]

export const shells: readonly WorkKind[] = [
  {
    kind: 'a list of paths in PowerShell',
    stopped: [
      ...pwsh('rm .\\bin, $HOME -r -fo'),
      ...pwsh('Remove-Item -Recurse -Force -Path .\\bin, C:\\Users\\me'),
      ...pwsh("Remove-Item @('bin', 'C:\\Windows') -Recurse -Force"),
      ...pwsh("'bin', '~' | ForEach-Object { Remove-Item $_ -Recurse -Force }"),
      ...pwsh("foreach ($d in '.\\obj', $HOME) { Remove-Item $d -Recurse -Force }"),
      ...pwsh('Get-Content a.txt, .env'),
      ...pwsh('ri bin,..\\..\\ -r -fo'),
      ...pwsh('del /, bin -Recurse -Force'),
      ...pwsh("$dirs = 'bin', $env:USERPROFILE; Remove-Item $dirs -Recurse -Force"),
      ...pwsh('Get-ChildItem C:\\Users\\me | Remove-Item -Recurse -Force'),
    ],
    free: [
      ...pwsh('rm .\\bin, .\\obj -r -fo'),
      ...pwsh('rm bin,obj -r -fo -ea 0'),
      ...pwsh('Remove-Item -Recurse -Force .\\bin, .\\obj -ErrorAction SilentlyContinue'),
      ...pwsh('Remove-Item -Path bin, obj, dist -Recurse -Force'),
      ...pwsh("Remove-Item @('bin', 'obj') -Recurse -Force"),
      ...pwsh("'bin', 'obj' | ForEach-Object { Remove-Item $_ -Recurse -Force }"),
      ...pwsh("@('bin','obj') | % { rm $_ -r -fo }"),
      ...pwsh("foreach ($d in 'bin', 'obj') { Remove-Item $d -Recurse -Force }"),
      ...pwsh("$dirs = 'bin', 'obj'; Remove-Item $dirs -Recurse -Force"),
      ['PowerShell', { command: 'Get-ChildItem -Path . -Include bin, obj -Recurse | Remove-Item -Recurse -Force' }],
      ...pwsh('Get-Content a.txt, b.txt | Select-String error'),
      ...pwsh('Copy-Item a.txt, b.txt -Destination out'),
      ...pwsh('Get-ChildItem src, test -Recurse -Filter *.cs | Measure-Object'),
      ...pwsh('if (Test-Path obj) { Remove-Item obj -Recurse -Force }; dotnet build'),
      ...pwsh('$env:ASPNETCORE_ENVIRONMENT = "Development"; dotnet run'),
      ...pwsh('New-Item -ItemType Directory -Force -Path out, logs | Out-Null'),
    ],
  },
  {
    kind: 'where a program is',
    stopped: ['rm -rf "$(dirname "$(whereis -b bash | cut -d" " -f2)")"'],
    free: [
      'whereis python3 | cut -d: -f2',
      "whereis -b java | cut -d' ' -f2 | xargs readlink -f",
      "whereis gcc | awk '{print $2}'",
      'ls -l "$(whereis -b node | cut -d" " -f2)"',
      'type -a python | head -1',
      'command -v uv || pip install uv',
      'ldd "$(which node)" | cut -f1',
    ],
  },
  {
    kind: "a container's own system files",
    stopped: [
      "docker run --rm -v /etc:/etc alpine sh -c 'echo a >> /etc/sudoers'",
      "docker run --rm -v /:/host alpine sh -c 'echo a >> /host/etc/passwd'",
      "podman run --rm -v /etc/hosts:/etc/hosts alpine sh -c 'echo 1.2.3.4 a >> /etc/hosts'",
      'docker run --rm -v /:/mnt alpine chroot /mnt sh -c "echo a >> /etc/sudoers"',
      'docker run --rm --mount type=bind,source=/etc,target=/etc alpine rm /etc/shadow',
      'echo a >> /etc/hosts',
    ],
    free: [
      "docker exec web sh -c 'echo 10.0.0.2 db >> /etc/hosts'",
      "docker run --rm alpine sh -c 'echo x >> /etc/apk/repositories && apk add curl'",
      'docker run --rm debian sh -c "echo \'deb http://x y z\' > /etc/apt/sources.list.d/a.list && apt-get update"',
      "docker compose exec web sh -c 'sed -i s/80/8080/ /etc/nginx/conf.d/default.conf && nginx -s reload'",
      'docker cp nginx.conf web:/etc/nginx/nginx.conf',
      'docker run -d -v ./nginx.conf:/etc/nginx/nginx.conf:ro nginx',
      "podman exec db sh -c 'echo max_connections=9 >> /etc/postgresql/postgresql.conf'",
      "kubectl exec -n dev web-0 -- sh -c 'echo a > /etc/motd'",
      "docker run --rm -v ./etc:/etc/app alpine sh -c 'echo a > /etc/app/a.conf'",
    ],
  },
]

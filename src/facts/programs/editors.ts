import type { Rows } from './row.ts'

/** Editors, viewers, formatters and converters: what is handed to them is read, and written where they save. */
export const editors: Rows = {
  'vim vi nvim gvim ex vimdiff mvim rvim view': {
    options:
      'c cmd S=execute u=read U=read s=execute w=write W=write i=read t q=read p? o? O? T r? startuptime=write listen remote?',
    also(line, doing) {
      for (const word of line.operands)
        if (!word.value.startsWith('+')) doing.touch(word, line.has('R') || line.program === 'view' ? 'read' : 'edit')
    },
  },
  'nano pico micro joe jed ne mcedit kak hx helix ed red gedit kate kwrite mousepad pluma notepad textedit': {
    options: 'C=into backupdir=into f=read rcfile=read T tabsize r fill Y syntax o=names operatingdir=names',
    also(line, doing) {
      for (const word of line.operands) if (!word.value.startsWith('+')) doing.touch(word, 'edit')
    },
  },
  'emacs emacsclient xemacs': {
    options:
      'l=execute load=execute eval f funcall script=execute u user t a s socket-name server-file=read L=names directory=names e execute insert=read visit=edit find-file=edit',
    oneDash: true,
    also(line, doing) {
      for (const word of line.operands) if (!word.value.startsWith('+')) doing.touch(word, 'edit')
    },
  },
  'code codium cursor windsurf zed subl atom idea': {
    options:
      'user-data-dir=names extensions-dir=names install-extension uninstall-extension profile locale sync +wait +diff +new-window +reuse-window',
    operands: 'edit',
  },
  'open xdg-open gnome-open kde-open start gio': { options: 'a b s', operands: 'read' },
  'pbcopy pbpaste wl-copy wl-paste': {},
  'xclip xsel': { options: 'selection sel loops l display d target t i?=read', operands: 'read', oneDash: true },
  'dos2unix unix2dos mac2unix fromdos todos': { options: 'n', operands: 'edit' },
  iconv: { options: 'f from-code t to-code o=write output=write', operands: 'read' },
  recode: { first: 'none', operands: 'edit' },
  'prettier eslint oxlint oxfmt biome stylelint black ruff isort autopep8 yapf gofmt goimports rustfmt clang-format shfmt rubocop standardrb swiftformat ktlint scalafmt djlint dprint':
    {
      options:
        'config=read ignore-path=read parser plugin=execute stdin-filepath ext format o=write output-file=write line-length select ignore rulesdir=execute rule style cache-location=write max-warnings target-version',
      operands: 'read',
      recursive: true,
      also(line, doing) {
        const writes =
          line.has('write', 'fix', 'w', 'i', 'in-place', 'apply', 'a', 'A') || inPlaceAlways.has(line.program)
        if (!writes || line.has('check', 'diff')) return
        for (const word of line.operands)
          if (!subcommands.has(word.value)) doing.touch(word, 'write', { recursive: true })
      },
    },
  pandoc: {
    options:
      'f from t to o=write output=write template=read c css=read H=read B=read A=read metadata-file=read bibliography=read F filter=execute L=execute lua-filter=execute V variable M metadata pdf-engine',
    operands: 'read',
  },
  'convert magick mogrify ffmpeg ffprobe sox': {
    options: 'i=read f c vf af ss t to r b s codec map filter_complex preset crf pix_fmt resize quality crop',
    oneDash: true,
    also(line, doing) {
      const last = line.operands.at(-1)
      if (line.program === 'ffprobe' || line.program === 'mogrify') {
        for (const word of line.operands) doing.touch(word, line.program === 'mogrify' ? 'edit' : 'read')
        return
      }
      for (const word of line.operands) if (word !== last) doing.touch(word, 'read')
      doing.touch(last, 'write')
    },
  },
  'pdftotext pdftoppm ps2pdf pdf2ps djvutxt antiword catdoc docx2txt': {
    options: 'f l r layout enc',
    operands: 'read',
    last: 'write',
    oneDash: true,
  },
  'qpdf pdftk exiftool identify jpegoptim optipng pngquant': { operands: 'read' },
  'shellcheck hadolint yamllint markdownlint jsonlint vale codespell mypy pyright pylint flake8 bandit semgrep gitleaks trufflehog trivy':
    {
      options:
        'c config=read config-file=read f format s shell e exclude S severity rcfile=read r o=write output=write report-path=write',
      operands: 'read',
      recursive: true,
    },
}

const inPlaceAlways = new Set(['black', 'isort', 'oxfmt', 'rustfmt', 'swiftformat'])
const subcommands = new Set(['check', 'format', 'lint', 'ci', 'fmt'])

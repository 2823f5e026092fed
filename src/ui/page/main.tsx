// oxlint-disable-next-line import/no-unassigned-import -- first: the others need it as they are loaded
import './known-language.ts'
import { render } from 'preact'
import { keepToken } from './fetch.ts'
import { Frame } from './frame.tsx'

keepToken()
const root = document.getElementById('page')
if (root !== null) render(<Frame />, root)

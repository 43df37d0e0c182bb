import base from './assets/style/base.css' with { type: 'text' }
import buttons from './assets/style/buttons.css' with { type: 'text' }
import catalogue from './assets/style/catalogue.css' with { type: 'text' }
import components from './assets/style/components.css' with { type: 'text' }
import covers from './assets/style/covers.css' with { type: 'text' }
import diary from './assets/style/diary.css' with { type: 'text' }
import episode from './assets/style/episode.css' with { type: 'text' }
import firstRun from './assets/style/first-run.css' with { type: 'text' }
import floating from './assets/style/floating.css' with { type: 'text' }
import forms from './assets/style/forms.css' with { type: 'text' }
import importing from './assets/style/import.css' with { type: 'text' }
import library from './assets/style/library.css' with { type: 'text' }
import print from './assets/style/print.css' with { type: 'text' }
import profile from './assets/style/profile.css' with { type: 'text' }
import search from './assets/style/search.css' with { type: 'text' }
import seasons from './assets/style/seasons.css' with { type: 'text' }
import sheet from './assets/style/sheet.css' with { type: 'text' }
import shell from './assets/style/shell.css' with { type: 'text' }
import tables from './assets/style/tables.css' with { type: 'text' }
import track from './assets/style/track.css' with { type: 'text' }
import work from './assets/style/work.css' with { type: 'text' }

const parts = [base, buttons, forms, tables, components, floating, shell]

const pages = [
  track,
  sheet,
  work,
  episode,
  search,
  seasons,
  library,
  diary,
  profile,
  importing,
  firstRun,
  covers,
  catalogue,
  print,
]

/** A single style sheet; rules of individual pages come last. */
export const style = [...parts, ...pages].join('\n')

export { type Titles, titleMarkup as workTitle } from '../../pages/title'

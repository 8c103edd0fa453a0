// The picture in a file of its own: read-only, and nothing is asked of anybody.

import {explorer} from './explorer.js'
import {make} from './elements.js'

const told = JSON.parse(document.getElementById('graph').textContent)
document.getElementById('picture').append(make('h1.graph-title', {}, told.name), explorer(told).element)

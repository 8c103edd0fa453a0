// The graph in a self-contained file: read-only, without any requests.

import {explorer} from './explorer.js'
import {make} from './elements.js'

const graphData = JSON.parse(document.getElementById('graph').textContent)
document.getElementById('picture').append(make('h1.graph-title', {}, graphData.name), explorer(graphData).element)

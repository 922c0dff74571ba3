// The keys of the console, and its pulse: an open page asks for new numbers when the server says so.
(function () {
  'use strict';
  var body = document.body;
  var source = null;
  var polling = null;
  var pending = false;
  var row = -1;

  // After a refusal, when to ask for a stream again. Until then the page polls.
  var REFUSED = 30000;
  var notBefore = 0;

  // A browser has six connections to a server, and a stream takes one of them. So one page has a stream, and tells the
  // others of each beat. Of several with a stream, the one with the smallest number keeps it.
  var SILENCE = 6000;
  var me = Math.random();
  var heard = -SILENCE;
  var channel = body.dataset.live !== 'off' && window.EventSource && window.BroadcastChannel
    ? new BroadcastChannel('duetime ' + body.dataset.live) : null;

  function tell(message) {
    if (channel) {
      channel.postMessage(message);
    }
  }

  function isTold() {
    return performance.now() - heard < SILENCE;
  }

  if (channel) {
    channel.onmessage = function (event) {
      if (event.data === 'end') {
        heard = -SILENCE;
        start();
      } else if (!document.hidden && !(source && me < event.data)) {
        heard = performance.now();
        stop();
        pulse();
      }
    };
  }
  setInterval(start, 2000);

  function busy() {
    var active = document.activeElement;
    var typing = active && /^(INPUT|SELECT|TEXTAREA)$/.test(active.tagName) && active.type !== 'checkbox';
    return typing || document.querySelector('#live input:checked, #live details[open], dialog[open]');
  }

  function pulse() {
    if (document.hidden || busy() || !window.htmx) {
      pending = true;
      return;
    }
    pending = false;
    window.htmx.trigger(body, 'duetime-live');
  }

  function stop() {
    if (source) {
      source.close();
      source = null;
    }
    clearInterval(polling);
    polling = null;
  }

  function poll() {
    polling = polling || setInterval(pulse, 5000);
  }

  function start() {
    var address = body.dataset.live;
    if (!address || address === 'off' || document.hidden || source || isTold()) {
      return;
    }
    if (!window.EventSource || performance.now() < notBefore) {
      poll();
      return;
    }
    source = new EventSource(address);
    var first = true;
    source.addEventListener('tick', function () {
      tell(me);
      clearInterval(polling);
      polling = null;
      if (!first) {
        pulse();
      }
      first = false;
    });
    source.onerror = function () {
      poll();
      // Refused, not lost: the browser does not try again by itself.
      if (source && source.readyState === 2) {
        source = null;
        notBefore = performance.now() + REFUSED;
      }
    };
  }

  document.addEventListener('visibilitychange', function () {
    if (document.hidden) {
      if (source) {
        tell('end');
      }
      stop();
    } else {
      start();
      if (pending) {
        pulse();
      }
    }
  });

  function rows() {
    return Array.prototype.slice.call(document.querySelectorAll('#live tbody tr'));
  }

  function move(step) {
    var all = rows();
    if (!all.length) {
      return;
    }
    row = Math.max(0, Math.min(all.length - 1, row + step));
    all.forEach(function (each, i) {
      each.classList.toggle('here', i === row);
    });
    var link = all[row].querySelector('a');
    if (link) {
      link.focus();
    }
    all[row].scrollIntoView({ block: 'nearest' });
  }

  var going = false;
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    var target = event.target;
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'checkbox';
    var help = document.getElementById('help');
    if (event.key === 'Escape') {
      if (typing) {
        target.blur();
      }
      going = false;
      return;
    }
    if (typing || help.open) {
      return;
    }
    if (going) {
      going = false;
      var link = document.querySelector('nav a[data-key="' + CSS.escape(event.key) + '"]');
      if (link) {
        event.preventDefault();
        link.click();
      }
      return;
    }
    switch (event.key) {
      case 'g': going = true; break;
      case '?': help.showModal(); break;
      case '/':
        var field = document.querySelector('.filters input, .filters select');
        if (field) {
          event.preventDefault();
          field.focus();
        }
        break;
      case 'j': move(1); break;
      case 'k': move(-1); break;
      case 'x':
        var tick = rows()[row] && rows()[row].querySelector('input[type=checkbox]');
        if (tick) {
          tick.checked = !tick.checked;
        }
        break;
      default: break;
    }
  });

  // Pages that are served without TLS have no clipboard of their own, so the text is selected and copied.
  function copied(text) {
    if (navigator.clipboard && window.isSecureContext) {
      return navigator.clipboard.writeText(text);
    }
    var field = document.createElement('textarea');
    field.value = text;
    document.body.appendChild(field);
    field.select();
    var done = document.execCommand('copy');
    field.remove();
    return done ? Promise.resolve() : Promise.reject(new Error('refused'));
  }

  document.addEventListener('click', function (event) {
    var button = event.target.closest('button[data-copy]');
    if (!button) {
      return;
    }
    copied(document.getElementById(button.dataset.copy).textContent).then(
      function () { return 'Copied.'; },
      function () { return 'The browser refuses to copy. Show it, and copy it by hand.'; }
    ).then(function (said) {
      button.nextElementSibling.textContent = said;
      button.focus();
    });
  });

  // What a page has shown may be wrong by now, above all "All is well.", so the notice stands before it.
  function stale(why) {
    var main = document.getElementById('live');
    var stamp = main && main.querySelector('.stamp time');
    if (!stamp || document.getElementById('away')) {
      return;
    }
    var note = document.getElementById('stale');
    if (!note) {
      note = document.createElement('p');
      note.id = 'stale';
      note.className = 'notice';
      note.setAttribute('role', 'status');
      main.insertBefore(note, main.firstChild);
      main.classList.add('old');
    }
    var said = 'Not up to date: ' + why + '. This page shows what was known at ' + stamp.textContent + '.';
    if (note.textContent !== said) {
      note.textContent = said;
    }
  }

  function answered(xhr) {
    if (xhr.responseText.indexOf('id="away"') >= 0) {
      return 'the database is away';
    }
    if (xhr.status === 404) {
      return 'it is not there any more';
    }
    return xhr.status === 403 ? 'you have no access to it any more' : 'the server answers ' + xhr.status;
  }

  // A page to log in is no part of this page. One that says that the database is away is kept up to date, and is
  // loaded again as a whole when the database is back, because it has another title.
  document.addEventListener('htmx:beforeSwap', function (event) {
    var xhr = event.detail.xhr;
    var isPart = event.detail.serverResponse.indexOf('id="live"') >= 0;
    if (xhr.status === 200 && (!isPart || document.getElementById('away'))) {
      event.detail.shouldSwap = false;
      location.reload();
    } else if (xhr.status === 503 && isPart && document.getElementById('away')) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
  document.addEventListener('htmx:responseError', function (event) {
    stale(answered(event.detail.xhr));
  });
  document.addEventListener('htmx:sendError', function () {
    stale('the server does not answer');
  });

  document.addEventListener('htmx:afterSwap', function () {
    if (row >= 0) {
      var all = rows();
      if (all[row]) {
        all[row].classList.add('here');
      }
    }
  });

  start();
})();
